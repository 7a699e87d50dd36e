; A vending machine: coins, selections, change with few coins, sold-out slots and refunds.
(ns vending.machine
  (:require [clojure.string :as str]))

(def coins [200 100 50 20 10 5])

(defrecord Machine [credit stock bank log])

(defn new-machine []
  (map->Machine {:credit 0
                 :stock {:a1 {:name "Crisps" :price 120 :left 1}
                         :b2 {:name "Water" :price 85 :left 5}}
                 :bank {50 2, 20 3, 10 5, 5 1}
                 :log []}))

(defn note [machine & parts]
  (update machine :log conj (str/join " " parts)))

(defn make-change [bank amount]
  (loop [amount amount, [c & more :as cs] coins, bank bank, out []]
    (cond
      (zero? amount) {:coins out :bank bank}
      (nil? c)       nil
      (and (<= c amount) (pos? (get bank c 0)))
      (recur (- amount c) cs (update bank c dec) (conj out c))
      :else          (recur amount more bank out))))

(defmulti command (fn [_ [op]] op))

(defmethod command :coin [m [_ value]]
  (if (some #{value} coins)
    (-> m (update :credit + value) (update-in [:bank value] (fnil inc 0)))
    (note m "rejected" value)))

(defmethod command :select [{:keys [credit stock bank] :as m} [_ slot]]
  (let [{:keys [name price left]} (get stock slot)]
    (condp apply [slot]
      (fn [_] (nil? name))      (note m "no such slot" slot)
      (fn [_] (zero? left))     (note m "sold out:" name)
      (fn [_] (< credit price)) (note m name "costs" price "- insert" (- price credit))
      (if-let [{:keys [coins bank]} (make-change bank (- credit price))]
        (-> m
            (assoc :credit 0 :bank bank)
            (update-in [:stock slot :left] dec)
            (note "sold" name "change" (pr-str coins)))
        (note m "no change")))))

(defmethod command :refund [{:keys [credit bank] :as m} _]
  (let [{:keys [coins bank]} (make-change bank credit)]
    (-> m (assoc :credit 0 :bank bank) (note "refund" coins))))

(let [session [[:coin 100] [:select :a1] [:coin 50] [:select :a1] [:coin 200] [:select :a1]
               [:coin 3] [:select :z9] [:select :b2] [:coin 20] [:refund]]
      end     (reduce command (new-machine) session)]
  (doseq [[i line] (map-indexed vector (:log end))]
    (println (inc i) line))
  {:credit (:credit end)
   :money  (reduce-kv (fn [sum c n] (+ sum (* c n))) 0 (:bank end))
   :left   (update-vals (:stock end) :left)
   :type   (instance? Machine end)
   :log    (count (:log end))})
