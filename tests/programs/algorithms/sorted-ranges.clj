;; Sorted maps and sets: subseq, rsubseq, comparators and interval lookups.
(def grades (sorted-map 0 "F" 60 "D" 70 "C" 80 "B" 90 "A"))
(defn grade [s] (val (first (rsubseq grades <= s))))
(def by-len (sorted-map-by (fn [a b] (compare [(count a) a] [(count b) b])) "ccc" 1 "a" 2 "bb" 3))
(def desc (sorted-set-by > 5 1 9 3))

(defn next-slot [taken from] (->> (iterate inc from) (remove taken) first))

(defrecord Ev [at what])
(def evs (into (sorted-set-by (comparator (fn [a b] (neg? (compare [(:at a) (:what a)] [(:at b) (:what b)])))))
               (map (partial apply ->Ev)) [[5 :e] [1 :a] [3 :c] [1 :b]]))

(defn between [m lo hi] (subseq m >= lo < hi))

(doseq [[s g] (map (juxt identity grade) [59 60 85 100])] (println s g))
(println (seq desc) (first by-len) (rseq desc))

(array-map
 :by-len by-len
 :evs (map :what evs)
 :range (between grades 60 90)
 :gaps (map (fn [[[a] [b]]] (- b a)) (partition 2 1 grades))
 :sub (subseq desc < 5)
 :rsub (rsubseq (sorted-set 1 2 3 4) > 1 < 4)
 :slot (next-slot (sorted-set 8 9 10) 8)
 :merge (merge-with + (sorted-map :b 1) {:a 2 :b 3})
 :into (into (sorted-map) (zipmap [:z :y :x] (range)))
 :dissoc (dissoc grades 0 60)
 :sorted? (map sorted? [grades desc {} (into (empty by-len) {"zz" 1 "y" 2})])
 :empty-keeps (into (empty by-len) {"zz" 1 "y" 2 "aaa" 0})
 :compare (map #(apply compare %) [[[1 2] [1 3]] ["a" "b"] [:a :a] [nil 1] [[1] [0 0]] [\a \c] [false true]])
 :err (try (sorted-map :a 1 'b 2 3 3) :taken (catch ClassCastException e :cce))
 :key (key (first grades)) :last (last grades) :nth (nth (seq grades) 2)
 :find (find grades 70) :contains (contains? desc 9) :get (get desc 4 :none)
 :fold (reduce-kv (fn [acc k v] (str acc v k)) "" grades))
