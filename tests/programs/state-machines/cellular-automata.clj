; Elementary cellular automata by rule number, drawn in text, with cycles and densities.
(require '[clojure.string :as str])

(defn rule [n]
  (fn [triple]
    (let [i (reduce (fn [acc bit] (+ (* 2 acc) bit)) 0 triple)]
      (if (bit-test n i) 1 0))))

(defn step [rule-fn cells]
  (let [padded (concat [(last cells)] cells [(first cells)])]
    (mapv rule-fn (partition 3 1 padded))))

(defn evolve [n cells]
  (iterate (partial step (rule n)) cells))

(defn single [width]
  (assoc (vec (repeat width 0)) (quot width 2) 1))

(defn draw [cells] (str/join (map {0 \space 1 \#} cells)))

(defn find-cycle [states]
  (reduce (fn [seen [i s]]
            (if-let [j (seen s)]
              (reduced {:start j :length (- i j)})
              (assoc seen s i)))
          {}
          (map-indexed vector states)))

(doseq [line (map draw (take 8 (evolve 90 (single 17))))]
  (println (str/trimr line)))

(letfn [(density [cells] (/ (reduce + cells) (count cells)))
        (after [n k] (nth (evolve n (single 17)) k))]
  {:rule-30   (draw (after 30 5))
   :density   (map density (take 4 (evolve 30 (single 9))))
   :cycle     (find-cycle (evolve 90 (single 9)))
   :fixed     (find-cycle (evolve 0 (single 5)))
   :table     (let [f (rule 110)] (for [a [1 0] b [1 0] c [1 0]] (f [a b c])))
   :symmetric (every? #(= % (rseq %)) (take 10 (evolve 90 (single 17))))})
