;; Write an invoice with cl-format directives.
(require '[clojure.pprint :refer [cl-format]]
         '[clojure.string :as str])

(def items [{:sku "A-1" :qty 2 :unit 19.99M} {:sku "B-22" :qty 1 :unit 5M} {:sku "C-333" :qty 12 :unit 0.333M}])

(defn money [d] (.setScale (bigdec d) 2 java.math.RoundingMode/HALF_EVEN))

(def rows (for [{:keys [sku qty unit]} items] [sku qty (money unit) (money (* qty unit))]))

(println (cl-format nil "~8a|~4@a|~10@a|~10@a" "SKU" "Qty" "Unit" "Sum"))
(println (apply str (repeat 35 \-)))
(doseq [r rows] (println (apply cl-format nil "~8a|~4d|~10@a|~10@a" r)))
(cl-format true "~%~d item~:p, ~{~a~^, ~}.~%" (count items) (map :sku items))
(cl-format true "~:d ~,2f ~5,1f ~x ~b ~o ~r ~:r ~@r~%" 1234567 3.14159 2.25 255 5 8 42 3 1999)
(cl-format true "~[zero~;one~:;many~] ~:[no~;yes~] ~@[maybe ~a~]~%" 5 true 7)
(cl-format true "~{~{~a=~s~}~^; ~}~%" [["a" 1] ["b" "x"]])
(cl-format true "~10,'*d|~10,'0d|~@d~%" 42 42 7)
(cl-format true "~a ~s ~c~%" "q" "q" \z)
(cl-format true "~v,'0d|~%" 6 12)
(cl-format true "~(HELLO ~a~) ~:(foo bar~) ~@(foo~) ~:@(loud~)~%" "W")
{:total (reduce + (map peek rows))
 :table (with-out-str (clojure.pprint/print-table [:sku :qty] items))
 :en (map #(cl-format nil "~r" %) [0 7 13 21 100 1001])
 :roman (map #(cl-format nil "~@r" %) [4 9 14 1990])
 :dollars (cl-format nil "~$" 3.5)}
