;; Draw elementary cellular automata by rule number and compare their growth.
(require '[clojure.string :as str])

(defn rule->table [n]
  (let [bits (reverse (take 8 (concat (reverse (Integer/toString n 2)) (repeat \0))))]
    (zipmap (for [a [1 0] b [1 0] c [1 0]] [a b c])
            (map #(Character/digit % 2) bits))))

(defn next-row [table row]
  (->> (concat [0] row [0])
       (partition 3 1)
       (mapv table)))

(defn automaton [rule width]
  (let [table (rule->table rule)
        mid (quot width 2)
        start (assoc (vec (repeat width 0)) mid 1)]
    (iterate #(next-row table %) start)))

(defn show [row] (str/join (map {0 " " 1 "█"} row)))

(doseq [rule [90 30]]
  (println "rule" rule)
  (->> (automaton rule 17)
       (take 8)
       (map (comp str/trimr show))
       (str/join \newline)
       println))

(defn population [rule]
  (->> (automaton rule 65) (take 16) (map #(reduce + %))))

{:p90 (population 90)
 :powers-of-two? (every? #(zero? (bit-and % (dec %))) (population 90))
 :table-110 (into (sorted-map) (rule->table 110))
 :totals (into (sorted-map) (for [r [18 30 90 110 254]] [r (apply + (population r))]))}
