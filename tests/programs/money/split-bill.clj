;; Split an amount of cents among people by weights so that no cent is lost.
(defn allocate
  "Splits `total` cents by `weights`; leftover cents go to the largest remainders."
  [total weights]
  (let [sum (reduce + weights)
        exact (map #(/ (* total %) sum) weights)
        floors (map long exact)
        left (- total (apply + floors))
        winners (->> (map-indexed (fn [i x] [i (- x (long x))]) exact)
                     (sort-by (fn [[i frac]] [(- frac) i]))
                     (take left)
                     (map first)
                     set)]
    (vec (map-indexed (fn [i c] (if (winners i) (inc c) c)) floors))))

(defn cents->str [c]
  (let [sign (if (neg? c) "-" "")
        c (Math/abs c)]
    (str sign "$" (quot c 100) "." (format "%02d" (mod c 100)))))

(def dinner {:total 10001 :people [[:ann 1] [:ben 1] [:cat 1]]})
(def rent {:total 145050 :people [[:ann 3] [:ben 2] [:cat 2] [:dee 1]]})

(defn shares [{:keys [total people]}]
  (zipmap (map first people) (allocate total (map second people))))

(doseq [bill [dinner rent]]
  (println (cents->str (:total bill)) "->"
           (into (sorted-map) (map (fn [[k v]] [k (cents->str v)])) (shares bill)))
  (assert (= (:total bill) (reduce + (vals (shares bill))))))

(merge-with + (shares dinner) (shares rent))
