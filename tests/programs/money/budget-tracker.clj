;; Compare spending per category with a budget and print bars of the use.
(require '[clojure.string :as string])

(def transactions
  "2024-05-01;groceries;-54.20
2024-05-02;rent;-900.00
2024-05-03;salary;2500.00
2024-05-05;groceries;-31.75
2024-05-09;fun;-120.00
2024-05-11;groceries;-12.05
2024-05-12;refund/fun;20.00")

(def budget {:groceries 150 :rent 900 :fun 80 :travel 200})

(defn parse [line]
  (let [[date cat amount] (string/split line #";")
        [a b] (string/split cat #"/")]
    {:date date
     :category (keyword (or b a))
     :refund? (boolean b)
     :amount (Double/parseDouble amount)}))

(def txs (map parse (string/split-lines transactions)))

(def spent
  (->> txs
       (filter #(contains? budget (:category %)))
       (reduce (fn [m {:keys [category amount]}]
                 (update m category (fnil - 0.0) amount))
               {})))

(defn bar [ratio]
  (let [width 20
        n (min width (int (Math/round (* width (double ratio)))))]
    (str "[" (apply str (repeat n "#")) (apply str (repeat (- width n) ".")) "]")))

(defn status [used limit]
  (cond (> used limit) :over
        (>= used (* 0.9 limit)) :tight
        (zero? used) :unused
        :else :ok))

(def lines
  (for [[cat limit] (sort-by (comp name key) budget)
        :let [used (get spent cat 0.0)]]
    [cat used limit (status used limit)]))

(doseq [[cat used limit st] lines]
  (println (format "%-10s %s %7.2f / %4d %s" (name cat) (bar (/ used limit)) used limit (string/upper-case (name st)))))

{:by-status (update-vals (group-by peek lines) #(mapv first %))
 :income (transduce (comp (remove :refund?) (map :amount) (filter pos?)) + txs)
 :refunds (filterv :refund? txs)}
