; Rank pages by their links, by repeated passes until nothing moves any more.
(def links
  {:home    [:about :product :links]
   :about   [:home]
   :product [:home :about]
   :links   [:external :home]
   :external []})

(def damping 0.85)

(defn incoming [links]
  (apply merge-with into
         (for [[from tos] links
               to tos]
           {to [from]})))

(defn iteration [links in ranks]
  (let [n        (count links)
        dangling (/ (reduce + (for [[p tos] links :when (empty? tos)] (ranks p))) n)]
    (into {}
          (for [page (keys links)]
            [page
             (+ (/ (- 1 damping) n)
                (* damping
                   (+ dangling
                      (reduce + 0.0 (map #(/ (ranks %) (count (links %))) (in page))))))]))))

(defn delta [a b]
  (reduce + (map (fn [[k v]] (Math/abs (- v (b k)))) a)))

(defn pagerank [links epsilon]
  (let [in    (incoming links)
        start (zipmap (keys links) (repeat (/ 1.0 (count links))))]
    (loop [ranks start n 0]
      (let [new-ranks (iteration links in ranks)]
        (if (or (< (delta ranks new-ranks) epsilon) (> n 1000))
          {:ranks new-ranks :iterations (inc n)}
          (recur new-ranks (inc n)))))))

(let [{:keys [ranks iterations]} (pagerank links 1e-6)
      round3 #(/ (Math/round (* % 1000.0)) 1000.0)]
  (doseq [[i [page r]] (map-indexed vector (sort-by val > ranks))]
    (println (format "%d. %-9s %.4f" (inc i) (name page) r)))
  {:iterations iterations
   :sum        (round3 (reduce + (vals ranks)))
   :ranks      (into (sorted-map) (map (juxt key (comp round3 val))) ranks)
   :incoming   (into (sorted-map) (incoming links))})
