; Ancestors, descendants, cousins and generations in a family tree given as facts.
(def parent-of
  [[:abe :homer] [:mona :homer] [:homer :bart] [:homer :lisa] [:homer :maggie]
   [:marge :bart] [:marge :lisa] [:marge :maggie] [:jackie :marge] [:jackie :selma] [:selma :ling]])

(def children
  (reduce (fn [m [p c]] (update m p (fnil conj []) c)) {} parent-of))

(def parents
  (->> parent-of
       (group-by second)
       (reduce-kv (fn [m c facts] (assoc m c (mapv first facts))) {})))

(defn closure [f x]
  (->> (f x)
       (mapcat #(cons % (closure f %)))
       distinct))

(def ancestors-of (partial closure parents))
(def descendants-of (partial closure children))

(defn siblings [x]
  (->> (parents x) (mapcat children) distinct (remove #{x})))

(defn cousins [x]
  (distinct
   (for [p (parents x)
         aunt (siblings p)
         cousin (children aunt)]
     cousin)))

(defn generation [x]
  (if-some [ps (seq (parents x))]
    (inc (apply max (map generation ps)))
    0))

(def memo-generation (memoize generation))

(defn relation [a b]
  (cond
    (some #{b} (parents a))        :parent
    (some #{b} (children a))       :child
    (some #{b} (siblings a))       :sibling
    (some #{b} (cousins a))        :cousin
    (some #{b} (ancestors-of a))   :ancestor
    (some #{b} (descendants-of a)) :descendant))

(defn print-tree [x & [depth]]
  (let [depth (or depth 0)]
    (println (str (apply str (repeat depth "  ")) (name x)))
    (doseq [c (children x)]
      (print-tree c (inc depth)))))

(print-tree :jackie)

(let [everybody (sort (distinct (flatten parent-of)))]
  {:ancestors   (sort (ancestors-of :bart))
   :descendants (descendants-of :jackie)
   :cousins     (cousins :lisa)
   :relations   (for [p [:homer :ling :selma :maggie :jackie :bart]] [p (relation :bart p)])
   :generations (into (sorted-map) (group-by memo-generation everybody))
   :roots       (remove parents everybody)
   :common      (some (set (ancestors-of :ling)) (ancestors-of :bart))})
