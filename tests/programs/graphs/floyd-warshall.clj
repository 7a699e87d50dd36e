; All shortest paths with Floyd and Warshall's table in arrays of doubles, and the paths themselves.
(def nodes [:home :shop :school :park :gym])
(def edges {[:home :shop] 4.0, [:home :school] 11.0, [:shop :school] 5.5, [:school :park] 2.0, [:park :home] 7.0, [:shop :gym] 20.0, [:park :gym] 1.5})

(defn index-of [x] (.indexOf nodes x))

(defn tables [nodes edges]
  (let [n (count nodes)
        dist (make-array Double/TYPE n n)
        nxt (make-array Object n n)]
    (dotimes [i n]
      (java.util.Arrays/fill ^doubles (aget dist i) Double/POSITIVE_INFINITY)
      (aset dist i i 0.0))
    (doseq [[[a b] w] edges
            :let [i (index-of a) j (index-of b)]]
      (aset dist i j w)
      (aset nxt i j j))
    (dotimes [k n]
      (dotimes [i n]
        (dotimes [j n]
          (let [through (+ (aget dist i k) (aget dist k j))]
            (when (< through (aget dist i j))
              (aset dist i j through)
              (aset nxt i j (aget nxt i k)))))))
    [dist nxt]))

(let [[dist nxt] (tables nodes edges)
      path (fn [a b]
             (let [goal (index-of b)]
               (loop [at (index-of a), out [a]]
                 (cond
                   (= at goal) out
                   (nil? (aget nxt at goal)) nil
                   :else (let [step (aget nxt at goal)]
                           (recur step (conj out (nodes step))))))))]
  (doseq [i (range (count nodes))]
    (println (name (nodes i)) (mapv #(if (Double/isInfinite %) '- %) (aget dist i))))
  {:home->gym  [(aget dist 0 4) (path :home :gym)]
   :gym->home  (path :gym :home)
   :diameter   (->> (mapcat seq dist) (remove #(Double/isInfinite %)) (apply max))
   :reachable  (mapv (fn [row] (count (filter #(< % Double/POSITIVE_INFINITY) row))) dist)})
