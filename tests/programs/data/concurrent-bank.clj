; Transfers between refs in transactions, an agent that logs, futures and promises joined at the end.
(def checking (ref 500))
(def savings (ref 100))
(def journal (agent []))

(defn log-entry [entries e] (conj entries e))

(defn transfer [from to amount]
  (dosync
   (when (< @from amount)
     (throw (ex-info "insufficient" {:have @from :need amount})))
   (alter from - amount)
   (commute to + amount)
   [:moved amount]))

(def results
  (mapv (fn [amount]
          (try
            (let [r (transfer checking savings amount)]
              (send journal log-entry r)
              r)
            (catch clojure.lang.ExceptionInfo e
              [:failed (ex-data e)])))
        [100 300 200 50]))

(await journal)

(def total (future (+ @checking @savings)))
(def greeting (promise))
(deliver greeting "done")

(def squares
  (->> (range 5)
       (map (fn [n] (future (* n n))))
       doall
       (map deref)))

(def slow (delay (println "computed once") 42))

(println "results" results)
(println "journal" @journal)
(println @slow @slow (realized? slow))

{:balances [@checking @savings]
 :total    (deref total 1000 :timeout)
 :greeting @greeting
 :squares  squares
 :parallel (pmap inc [1 2 3])
 :set      (dosync (ref-set savings 0) @savings)
 :locked   (locking checking :ok)}
