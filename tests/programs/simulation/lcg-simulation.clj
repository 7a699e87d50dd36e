;; A queue simulation with a seeded generator as a lazy sequence.
(require '[clojure.math :as math])

(defn lcg [seed]
  (rest (iterate (fn [x] (mod (+ (* 1103515245 x) 12345) 2147483648)) seed)))

(defn rand-between [lo hi r] (+ lo (mod (bit-shift-right r 8) (inc (- hi lo)))))

(defrecord Customer [id arrives service])

(defn customers [seed n]
  (let [[gaps services] (map #(take n %) [(lcg seed) (lcg (inc seed))])]
    (->> (map (fn [g s] [(rand-between 1 5 g) (rand-between 2 6 s)]) gaps services)
         (reductions (fn [[_ t _] [g s]] [nil (+ t g) s]) [nil 0 nil])
         rest
         (map-indexed (fn [i [_ t s]] (->Customer i t s))))))

(defn simulate [cs n-servers]
  (loop [[{:keys [id arrives service] :as c} & more] cs
         free (vec (repeat n-servers 0))
         log []]
    (if (nil? c)
      log
      (let [[k t] (apply min-key second (map-indexed vector free))
            start (max t arrives)
            done (+ start service)]
        (recur more (assoc free k done)
               (conj log {:id id :server k :wait (- start arrives) :done done}))))))

(defn stats [xs]
  (let [n (count xs) m (/ (reduce + xs) n)
        var (/ (transduce (map #(math/pow (- % m) 2)) + xs) n)]
    {:mean m :sd (format "%.3f" (math/sqrt var)) :max (apply max xs)}))

(def cs (customers 42 30))
(doseq [k [1 2 3]
        :let [log (simulate cs k)
              {:keys [mean sd max]} (stats (map :wait log))]]
  (println (format "%d servers: mean %.2f sd %s max %d last %d" k (double mean) sd max (:done (peek log)))))

(let [log (simulate cs 2)]
  {:per-server (into (sorted-map) (update-vals (group-by :server log) (comp (juxt count first last) (partial mapv :id))))
   :hist (->> log (map :wait) frequencies (into (sorted-map)))
   :first (first cs)
   :mean (:mean (stats (map :wait log)))
   :streaks (->> log (map #(pos? (:wait %))) (partition-by identity) (map (juxt first count)))
   :shuffled (mapv first (sort-by second (map vector (range 6) (lcg 7))))})
