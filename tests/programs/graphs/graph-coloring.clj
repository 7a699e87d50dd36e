; Colour the countries of a map so that neighbours differ, by backtracking, and schedule exams the same way.
(def borders
  {:wa [:nt :sa] :nt [:wa :sa :q] :sa [:wa :nt :q :nsw :v]
   :q [:nt :sa :nsw] :nsw [:q :sa :v] :v [:sa :nsw] :t []})

(defn possible [graph colors assigned node]
  (let [taken (into #{} (keep assigned) (graph node))]
    (remove taken colors)))

(defn color-graph [graph colors]
  (letfn [(solve [assigned [node & more]]
            (if (nil? node)
              assigned
              (first
               (keep (fn [c] (solve (assoc assigned node c) more))
                     (possible graph colors assigned node)))))]
    (solve {} (sort-by (juxt #(- (count (graph %))) identity) (keys graph)))))

(defn greedy [graph]
  (reduce (fn [acc node]
            (assoc acc node (first (possible graph (range) acc node))))
          (sorted-map)
          (sort (keys graph))))

(defn valid? [graph coloring]
  (every? true? (for [[n ms] graph m ms] (not= (coloring n) (coloring m)))))

(def enrolment
  {:ann [:math :physics] :bob [:math :art] :cat [:physics :history] :dan [:art :history]})

(def conflicts
  (->> (for [[_ exams] enrolment, a exams, b exams, :when (not= a b)] {a #{b}})
       (apply merge-with into)))

(let [three (color-graph borders [:red :green :blue])
      slots (greedy conflicts)]
  (doseq [[state color] (sort three)]
    (println (name state) (name color)))
  (doseq [[slot exams] (sort (group-by slots (sort (keys slots))))]
    (println "slot" (inc slot) exams))
  {:valid     (valid? borders three)
   :two       (color-graph borders [:red :green])
   :minimum   (first (drop-while #(nil? (color-graph borders (range %))) (range 1 10)))
   :greedy    (valid? conflicts slots)
   :used      (count (distinct (vals slots)))})
