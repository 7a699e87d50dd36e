; Lay out rows as a text table with alignment by column type, wrapped cells and a title.
(require '[clojure.string :as str])

(def rows
  [{:name "Widget" :price 2.5 :qty 100 :note "small and useful"}
   {:name "Gadget" :price 10.0 :qty 3 :note nil}
   {:name "Thing" :price 1234.567 :qty 12 :note "handle with care, fragile"}])

(defmulti cell class)
(defmethod cell String [s] s)
(defmethod cell Double [d] (format "%,.2f" d))
(defmethod cell Long [n] (str n))
(defmethod cell nil [_] "-")

(defn pad [align width s]
  (let [gap (apply str (repeat (- width (count s)) " "))]
    (if (= align :right) (str gap s) (str s gap))))

(defn alignment [values]
  (if (every? number? values) :right :left))

(defn chunk [n s]
  (if (<= (count s) n)
    [s]
    (map #(apply str %) (partition-all n s))))

(defn table
  "Options: :title, :max-width of a cell."
  [columns rows & {:keys [title max-width] :or {max-width 12}}]
  (let [values (into {} (map (fn [c] [c (map c rows)])) columns)
        texts  (for [row rows] (mapv #(chunk max-width (cell (% row))) columns))
        heads  (mapv (comp str/upper-case name) columns)
        widths (apply mapv max
                      (map count heads)
                      (map (fn [cells] (map #(apply max (map count %)) cells)) texts))
        aligns (mapv (comp alignment values) columns)
        line   (fn [cells] (str "| " (str/join " | " (map pad aligns widths cells)) " |"))
        rule   (str "+" (str/join "+" (map #(str/join (repeat (+ 2 %) "-")) widths)) "+")]
    (with-out-str
      (when title (println title))
      (println rule)
      (println (line heads))
      (println rule)
      (doseq [cells texts
              i     (range (apply max (map count cells)))]
        (println (line (map #(nth % i "") cells))))
      (print rule))))

(def t (table [:name :price :qty :note] rows :title "Stock" :max-width 10))
(println t)
[(count (str/split-lines t)) (apply = (map count (rest (str/split-lines t))))]
