;; Event sourcing with multimethods, reduced snapshots, versions and java.util.Date instants.
(ns bank.events
  (:require [clojure.string :as str])
  (:import [java.util Date] [java.time Instant Duration]))
(defmulti apply-event (fn [_ e] (:type e)))
(defmethod apply-event :opened [_ {:keys [owner at]}] {:owner owner :balance 0M :opened at :version 0})
(defmethod apply-event :deposited [acc {:keys [amount]}] (update acc :balance + amount))
(defmethod apply-event :withdrawn [{:keys [balance] :as acc} {:keys [amount] :as e}]
  (if (< balance amount) (reduced (assoc acc :failed (:seq e))) (update acc :balance - amount)))
(defmethod apply-event :default [acc e] (update acc :unknown (fnil conj #{}) (:type e)))
(defn project
  ([events] (project nil events))
  ([snapshot events]
   (reduce (fn [acc e]
             (let [r (apply-event acc e)]
               (if (reduced? r) r (assoc r :version (:seq e)))))
           snapshot events)))
(def t0 (Instant/parse "2024-01-01T00:00:00Z"))
(def events
  (map-indexed (fn [i e] (assoc e :seq (inc i) :at (Date/from (.plus t0 (Duration/ofHours (* 7 i))))))
               [{:type :opened :owner "ann"} {:type :deposited :amount 100M} {:type ::audit}
                {:type :withdrawn :amount 30.5M} {:type :withdrawn :amount 500M} {:type :deposited :amount 1M}]))
(doseq [{:keys [seq type ^Date at amount] :or {amount "-"}} events]
  (println (format "%03d %-12s %s %s" seq (str type) (.toInstant at) amount)))
(def snap (project (take 3 events)))
{:final (project events)
 :from-snap (= (project events) (project snap (drop 3 events)))
 :times (mapv (comp inst-ms :at) (take 2 events))
 :sorted (map :seq (sort-by :at #(compare %2 %1) events))
 :cmp [(compare (:at (first events)) (:at (second events))) (.before (:at (first events)) (:at (second events)))]
 :hours (.toHours (Duration/between (.toInstant (:at (first events))) (.toInstant (:at (last events)))))
 :by-type (into (sorted-map) (map (fn [[k v]] [(name k) (count v)])) (group-by :type events))
 :hist (->> (reductions #(unreduced (apply-event %1 %2)) nil events) rest (map :balance))}
