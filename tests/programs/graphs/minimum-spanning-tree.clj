; Minimum spanning trees by Kruskal and by Prim, which have to weigh the same.
(def edges
  [[:a :b 7] [:a :d 5] [:b :c 8] [:b :d 9] [:b :e 7] [:c :e 5]
   [:d :e 15] [:d :f 6] [:e :f 8] [:e :g 9] [:f :g 11]])

(defn kruskal [edges]
  (loop [[[a b w :as edge] & more] (sort-by peek edges)
         groups (into {} (for [[a b] edges n [a b]] [n #{n}]))
         tree []]
    (cond
      (nil? edge) tree
      (contains? (groups a) b) (recur more groups tree)
      :else (let [merged (into (groups a) (groups b))]
              (recur more
                     (reduce #(assoc %1 %2 merged) groups merged)
                     (conj tree edge))))))

(defn prim [edges start]
  (let [both (mapcat (fn [[a b w]] [[a b w] [b a w]]) edges)
        all  (set (mapcat butlast edges))]
    (loop [in #{start} tree []]
      (if (= in all)
        tree
        (let [[_ b _ :as edge] (->> both
                                    (filter (fn [[a b]] (and (in a) (not (in b)))))
                                    (apply min-key peek))]
          (recur (conj in b) (conj tree edge)))))))

(defn weight [tree] (transduce (map #(nth % 2)) + tree))

(defn normalize [tree]
  (into (sorted-set) (map (fn [[a b w]] [w (into (sorted-set) [a b])]))
        []))

(let [k (kruskal edges)
      p (prim edges :d)]
  (doseq [[a b w] k]
    (println (format "%s -%d- %s" (name a) w (name b))))
  {:kruskal (weight k)
   :prim    (weight p)
   :steps   (reductions + (map peek p))
   :same    (= (set (map (comp set butlast) k)) (set (map (comp set butlast) p)))
   :size    (count k)
   :empty   (normalize [])})
