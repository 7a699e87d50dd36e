; Turn sales rows into a pivot table with regions as rows, quarters as columns and totals on both sides.
(require '[clojure.string :as string])

(def sales
  [[:north :q1 120] [:south :q1 80] [:north :q2 95] [:east :q1 60]
   [:south :q2 110] [:east :q3 75] [:north :q3 130] [:south :q4 40] [:north :q1 30]])

(defn pivot [rows]
  (reduce (fn [acc [r c v]]
            (update-in acc [r c] (fnil + 0) v))
          (sorted-map)
          rows))

(def quarters [:q1 :q2 :q3 :q4])

(let [table   (pivot sales)
      row-sum (fn [row] (apply + (vals row)))
      col-sum (fn [c] (transduce (keep c) + 0 (vals table)))
      header  (cons "region" (concat (map name quarters) ["total"]))
      lines   (for [[region row] table]
                (concat [(name region)]
                        (map #(str (get row % "-")) quarters)
                        [(str (row-sum row))]))
      footer  (concat ["total"] (map (comp str col-sum) quarters)
                      [(str (reduce + (map row-sum (vals table))))])
      widths  (apply map (fn [& cells] (apply max (map count cells))) header (concat lines [footer]))
      fmt-row (fn [cells] (string/join " | " (map (fn [c w] (format (str "%" w "s") c)) cells widths)))]
  (println (fmt-row header))
  (println (string/join "-+-" (map #(apply str (repeat % \-)) widths)))
  (run! (comp println fmt-row) lines)
  (println (fmt-row footer))
  table)
