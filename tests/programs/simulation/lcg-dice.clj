;; Roll dice with a linear congruential generator so that the rolls can be repeated.
(defn lcg
  "Lazy seq of pseudo random numbers in [0, 2^31)."
  [seed]
  (rest (iterate (fn [x] (mod (+ (* 1103515245 x) 12345) 2147483648)) seed)))

(defn rolls [seed sides]
  (map #(inc (mod (quot % 65536) sides)) (lcg seed)))

(defn histogram [xs]
  (into (sorted-map) (frequencies xs)))

(defn stars [n unit] (apply str (repeat (quot n unit) \*)))

(let [h (histogram (map + (take 600 (rolls 1 6)) (take 600 (rolls 99 6))))]
  (doseq [[k n] h]
    (println (format "%2d %3d %s" k n (stars n 5)))))

(defn first-repeat [xs]
  (reduce (fn [seen x] (if (seen x) (reduced x) (conj seen x))) #{} xs))

(defn shuffle-with [seed coll]
  (loop [v (vec coll) i (dec (count coll)) [r & rs] (map #(quot % 65536) (lcg seed))]
    (if (pos? i)
      (let [j (mod r (inc i))]
        (recur (assoc v i (v j) j (v i)) (dec i) rs))
      v)))

{:first (take 10 (rolls 42 6))
 :same? (= (take 50 (rolls 7 20)) (take 50 (rolls 7 20)))
 :until-six (inc (count (take-while (complement #{6}) (rolls 5 6))))
 :shuffled (shuffle-with 3 (range 10))
 :sorted-again? (= (range 10) (sort (shuffle-with 3 (range 10))))
 :repeat (first-repeat (rolls 11 100))}
