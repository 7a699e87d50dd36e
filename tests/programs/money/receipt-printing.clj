;; Print a receipt with aligned columns, thousands separators and numbers in several bases.
(require '[clojure.pprint :as pp]
         '[clojure.string :as str])

(def items
  [{:sku 17 :name "Anvil" :qty 2 :price 1250.5}
   {:sku 4 :name "Rocket skates" :qty 10 :price 89.99}
   {:sku 255 :name "Giant magnet (XL)" :qty 1 :price 12000.0}])

(defn truncate [n s]
  (if (> (count s) n)
    (str (subs s 0 (- n 3)) "...")
    s))

(defn pad-right [n s] (apply str (take n (concat s (repeat " ")))))

(def receipt
  (with-out-str
    (println (str/join (repeat 40 "=")))
    (doseq [{:keys [sku name qty price]} items]
      (println (format "%04d %-12s %3d %,12.2f" sku (truncate 12 name) qty (* qty price))))
    (println (str/join (repeat 40 "-")))
    (println (format "%-21s%,12.2f" "TOTAL" (reduce + (map #(* (:qty %) (:price %)) items))))))

(print receipt)
(pp/print-table [:sku :name :qty] items)
(println (format "%x %X %o %s %5s|%-5s|%05d|%+d|%e|%b|%c|%%" 255 255 8 nil "ab" "ab" 42 7 12345.678 true \z))

{:lines (count (str/split-lines receipt))
 :widths (distinct (map count (str/split-lines receipt)))
 :padded (pad-right 6 "abc")
 :thousands (format "%,d" 1234567890)
 :negative (format "%(,.2f %08.3f" -1234.5 3.14159)
 :bases (map #(Integer/toString 255 %) [2 8 16 36])
 :hex [(Integer/toHexString 48879) (Long/toBinaryString 10) (Integer/parseInt "ff" 16)]
 :pretty (with-out-str (pp/pprint {:a 1 :b [1 2]}))}
