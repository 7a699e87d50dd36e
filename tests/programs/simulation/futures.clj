;; Collect the work of futures and promises and combine it in a fixed order.
(def results (atom {}))

(defn work [n]
  (reduce + (range n)))

(def jobs (doall (map (fn [n] [n (future (work n))]) [10 100 1000])))

(doseq [[n f] jobs]
  (swap! results assoc n (deref f)))

(def answer (promise))
(deliver answer 42)
(deliver answer 43)

(def squares (pmap #(* % %) (range 6)))

(def lazy-noise
  (map (fn [x] (swap! results update :touched (fnil inc 0)) x) [1 2 3]))

(println @results)
(println (realized? answer) @answer)

{:results (select-keys @results [10 100 1000])
 :squares squares
 :sum (reduce + lazy-noise)
 :touched (:touched @results)
 :done (every? future-done? (map second jobs))
 :timeout (deref (promise) 1 :none)
 :delayed (let [d (delay (swap! results assoc :forced true) :value)]
            [(realized? d) (force d) (realized? d) (:forced @results)])}
