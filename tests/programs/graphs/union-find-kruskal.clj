;; Minimum spanning tree by Kruskal's algorithm; the union-find structure is a pair of arrays.
(defn make-sets [n]
  {:parent (int-array (range n))
   :rank   (int-array n)})

(defn find-root [{:keys [^ints parent]} x]
  (loop [x x]
    (let [p (aget parent x)]
      (if (= p x)
        x
        (do (aset parent x (aget parent p))
            (recur p))))))

(defn union! [{:keys [^ints parent ^ints rank] :as sets} a b]
  (let [ra (find-root sets a)
        rb (find-root sets b)]
    (when-not (= ra rb)
      (let [[hi lo] (if (< (aget rank ra) (aget rank rb)) [rb ra] [ra rb])]
        (aset parent lo (int hi))
        (when (= (aget rank hi) (aget rank lo))
          (aset rank hi (inc (aget rank hi))))
        true))))

(defn kruskal [n edges]
  (let [sets (make-sets n)]
    (reduce (fn [tree [w a b :as edge]]
              (if (union! sets a b) (conj tree edge) tree))
            []
            (sort edges))))

(def towns [:aarau :bern :chur :davos :einsiedeln :flims :geneva])
(def roads
  [[7 0 1] [5 1 2] [8 0 3] [9 1 3] [7 1 4] [5 2 4] [15 3 4] [6 3 5] [8 4 5]])

(let [tree (kruskal (count towns) roads)
      sets (make-sets (count towns))]
  (doseq [[w a b] tree]
    (println (name (towns a)) "-" (name (towns b)) w))
  (doseq [[_ a b] tree] (union! sets a b))
  {:total (reduce + (map first tree))
   :edges (count tree)
   :groups (->> (range (count towns))
                (group-by #(find-root sets %))
                vals
                (map (partial mapv towns))
                (sort-by count >))
   :same (= (find-root sets 0) (find-root sets 5))
   :cut (= (find-root sets 0) (find-root sets 6))})
