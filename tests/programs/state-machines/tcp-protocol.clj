; States of a connection: opening, data with acknowledgements, lost segments sent again, closing.
(ns tcp.sim
  (:require [clojure.string :as str]))

(defn send-segment [conn flags & {:keys [data seq-no]}]
  (update conn :out conj (cond-> {:flags flags}
                           data   (assoc :data data)
                           seq-no (assoc :seq seq-no))))

(defmulti on-event
  "Dispatches on the state of the connection and the type of the event."
  (fn [conn event] [(:state conn) (:type event)]))

(defmethod on-event [:closed :connect] [conn _]
  (-> conn (assoc :state :syn-sent) (send-segment #{:syn})))

(defmethod on-event [:syn-sent :segment] [conn {:keys [flags]}]
  (if (= flags #{:syn :ack})
    (-> conn (assoc :state :established) (send-segment #{:ack}))
    (assoc conn :state :closed :error :refused)))

(defmethod on-event [:established :write] [{:keys [next-seq] :as conn} {:keys [data]}]
  (-> conn
      (send-segment #{:psh} :data data :seq-no next-seq)
      (assoc-in [:unacked next-seq] data)
      (update :next-seq + (count data))))

(defmethod on-event [:established :segment] [conn {:keys [flags ack data]}]
  (cond
    (:fin flags) (-> conn (assoc :state :close-wait) (send-segment #{:ack}))
    (:ack flags) (update conn :unacked #(into (sorted-map) (remove (fn [[s d]] (<= (+ s (count d)) ack))) %))
    data         (-> conn (update :received str data) (send-segment #{:ack}))
    :else        conn))

(defmethod on-event [:established :timeout] [{:keys [unacked] :as conn} _]
  (reduce-kv (fn [c s d] (-> c (send-segment #{:psh} :data d :seq-no s) (update :resent inc)))
             conn unacked))

(defmethod on-event [:close-wait :close] [conn _]
  (-> conn (assoc :state :last-ack) (send-segment #{:fin})))

(defmethod on-event [:last-ack :segment] [conn _] (assoc conn :state :closed))

(defmethod on-event :default [conn event]
  (update conn :ignored (fnil conj []) [(:state conn) (:type event)]))

(def fresh {:state :closed :out [] :next-seq 100 :unacked (sorted-map) :received "" :resent 0})

(def events
  [{:type :write :data "too soon"}
   {:type :connect}
   {:type :segment :flags #{:syn :ack}}
   {:type :write :data "hello"}
   {:type :write :data " world"}
   {:type :segment :flags #{:ack} :ack 105}
   {:type :segment :flags #{} :data "hi"}
   {:type :timeout}
   {:type :segment :flags #{:ack} :ack 111}
   {:type :segment :flags #{:fin}}
   {:type :close}
   {:type :segment :flags #{:ack}}])

(let [history (reductions on-event fresh events)
      end     (last history)]
  (println (str/join " -> " (map name (dedupe (map :state history)))))
  (doseq [{:keys [flags data seq]} (:out end)]
    (println (str/join "+" (sort (map name flags))) (or seq "-") (pr-str data)))
  (assoc (select-keys end [:state :received :resent :ignored :next-seq])
         :unacked (map (comp count :unacked) history)))
