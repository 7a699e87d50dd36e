;; Choose among pricing strategies made with reify and closures over their settings.
(defprotocol Pricing
  (price [this qty])
  (label [this]))

(defn flat [unit]
  (reify Pricing
    (price [_ qty] (* unit qty))
    (label [_] (str "flat " unit))))

(defn bulk [unit threshold discount]
  (reify Pricing
    (price [_ qty]
      (let [extra (max 0 (- qty threshold))]
        (+ (* unit (- qty extra))
           (* unit extra (- 1 discount)))))
    (label [this] (str "bulk from " threshold))
    Object
    (toString [this] (str "<" (label this) ">"))))

(defn tiered [& tiers]
  (let [sorted (sort-by first tiers)]
    (reify Pricing
      (price [_ qty]
        (let [[_ unit] (last (take-while (fn [[from _]] (<= from qty)) sorted))]
          (* (or unit 0) qty)))
      (label [_] (str (count tiers) " tiers")))))

(def strategies [(flat 10) (bulk 11 5 1/2) (tiered [50 6] [1 12] [10 9])])

(defn best [qty]
  (->> strategies
       (map (juxt label #(price % qty)))
       (apply min-key second)))

(doseq [q [1 5 10 60]]
  (println q (mapv #(price % q) strategies) "best:" (first (best q))))

(println (str (second strategies)))

{:best (into (sorted-map) (map (juxt identity best)) [2 8 20 100])
 :cross (first (filter #(< (price (second strategies) %) (price (first strategies) %)) (rest (range))))
 :pricing? (every? #(satisfies? Pricing %) strategies)}
