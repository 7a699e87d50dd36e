;; Predator and prey, random walks and Monte Carlo with an own generator threaded through state.
(require '[clojure.math :as m])
(defprotocol Rng (next-int [r n]) (next-double [r]))
(defrecord XorShift [^long state]
  Rng
  (next-int [r n] (let [x (bit-xor state (bit-shift-left state 13))
                        x (bit-xor x (unsigned-bit-shift-right x 7))
                        x (bit-xor x (bit-shift-left x 17))]
                    [(mod x n) (assoc r :state x)]))
  (next-double [r] (let [[k r'] (next-int r 1000000)] [(/ k 1e6) r'])))
(defn draws [f r] (rest (map first (iterate (fn [[_ r]] (f r)) [nil r]))))
(defn walk [r n]
  (->> (draws #(next-int % 4) r) (take n)
       (reductions (fn [[x y] d] (case (int d) 0 [(inc x) y] 1 [(dec x) y] 2 [x (inc y)] [x (dec y)])) [0 0])))
(defn monte-pi [r n]
  (let [pts (->> (draws next-double r) (partition 2) (take n))]
    (* 4.0 (/ (count (filter (fn [[x y]] (<= (+ (* x x) (* y y)) 1)) pts)) n))))
(defn shuffle* [r coll]
  (loop [i (dec (count coll)) v (vec coll) r r]
    (if (pos? i)
      (let [[j r] (next-int r (inc i))] (recur (dec i) (assoc v i (v j) j (v i)) r))
      v)))
(defn lotka [{:keys [prey pred] :as s}]
  (-> s (update :prey + (* prey (- 0.1 (* 0.002 pred)))) (update :pred + (* pred (- (* 0.001 prey) 0.1)))))
(defn weighted [r m]
  (let [total (reduce + (vals m)) [k r] (next-int r total)]
    [(loop [[[v w] & more] (sort-by key m) k k] (if (< k w) v (recur more (- k w)))) r]))
(def r0 (->XorShift 88172645463325252))
(println (take 5 (draws #(next-int % 100) r0)))
(println (last (walk r0 50)) (format "%.3f" (monte-pi r0 500)))
{:shuffled (shuffle* r0 (range 10))
 :lotka (->> {:prey 100.0 :pred 40.0} (iterate lotka) (take-nth 20) (take 4) (mapv (fn [{:keys [prey pred]}] [(m/round prey) (m/round pred)])))
 :weights (->> (draws #(weighted % {:a 1 :b 3 :c 6}) r0) (take 100) frequencies (into (sorted-map)))
 :m [(m/floor-mod -7 3) (m/floor -1.5) (m/signum -3.0) (m/hypot 3 4) (m/cbrt 27) (m/to-degrees m/PI) (m/log10 1000.0) (m/rint 2.5)]
 :box (let [w (walk r0 30)] [(apply min (map first w)) (apply max (map second w))])
 :dist (->> (walk r0 10) (partition 2 1) (map (fn [[[a b] [c d]]] (+ (abs (- a c)) (abs (- b d))))) (every? #{1}))}
