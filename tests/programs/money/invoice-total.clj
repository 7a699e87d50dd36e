;; Compute the totals of an invoice with discounts and VAT by rate, in exact decimals.
(def invoice
  {:number "2024-017"
   :lines [{:item "Desk"   :qty 2  :price 349.90M :vat :standard}
           {:item "Lamp"   :qty 5  :price 24.95M  :vat :standard :discount 10}
           {:item "Book"   :qty 12 :price 9.99M   :vat :reduced}
           {:item "Advice" :qty 1  :price 150M    :vat :none}]})

(def vat-rates {:standard 0.19M :reduced 0.07M :none 0M})

(defn round2 [x]
  (.setScale (bigdec x) 2 java.math.RoundingMode/HALF_UP))

(defn line-net [{:keys [qty price discount] :or {discount 0}}]
  (round2 (* qty price (- 1M (/ (bigdec discount) 100M)))))

(defn totals [{:keys [lines]}]
  (let [by-rate (->> lines
                     (group-by :vat)
                     (map (fn [[rate ls]]
                            (let [net (reduce + (map line-net ls))]
                              [rate {:net net :vat (round2 (* net (vat-rates rate)))}])))
                     (into {}))
        net (reduce + 0M (map :net (vals by-rate)))
        vat (reduce + 0M (map :vat (vals by-rate)))]
    {:by-rate by-rate :net net :vat vat :gross (+ net vat)}))

(let [{:keys [by-rate net vat gross]} (totals invoice)]
  (println "Invoice" (:number invoice))
  (doseq [{:keys [item qty price] :as l} (:lines invoice)]
    (println (format "  %-8s %3d x %8.2f = %9.2f" item qty price (line-net l))))
  (println (format "  net %.2f, VAT %.2f, gross %.2f" net vat gross))
  [net vat gross (into (sorted-map) by-rate)])
