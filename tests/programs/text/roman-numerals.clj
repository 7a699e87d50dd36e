; Convert numbers to Roman numerals and back, refusing what is not a well formed numeral.
(def numerals
  [[1000 "M"] [900 "CM"] [500 "D"] [400 "CD"] [100 "C"] [90 "XC"]
   [50 "L"] [40 "XL"] [10 "X"] [9 "IX"] [5 "V"] [4 "IV"] [1 "I"]])

(defn ->roman
  "The numeral of n, between 1 and 3999."
  [n]
  {:pre [(integer? n) (< 0 n 4000)]
   :post [(string? %)]}
  (loop [n n, acc "", [[value symbol] :as table] numerals]
    (cond
      (zero? n)    acc
      (>= n value) (recur (- n value) (str acc symbol) table)
      :else        (recur n acc (rest table)))))

(def values {\I 1 \V 5 \X 10 \L 50 \C 100 \D 500 \M 1000})

(defn roman->
  [s]
  (let [digits (map values s)]
    (when (or (empty? digits) (some nil? digits))
      (throw (ex-info "Not a numeral" {:input s})))
    (let [n (->> (map vector digits (concat (rest digits) [0]))
                 (reduce (fn [sum [d nxt]] ((if (< d nxt) - +) sum d)) 0))]
      (if (= s (->roman n))
        n
        (throw (ex-info "Badly formed numeral" {:input s :canonical (->roman n)}))))))

(defn try-parse [s]
  (try
    (roman-> s)
    (catch clojure.lang.ExceptionInfo e
      [(ex-message e) (ex-data e)])))

(doseq [n [1 4 9 14 40 90 400 1994 2024 3999]]
  (println (format "%4d = %s" n (->roman n))))

(let [all (range 1 4000)]
  [(every? #(= % (roman-> (->roman %))) all)
   (map try-parse ["MMXXIV" "IIII" "XIZ" "" "VX"])
   (->> all (apply max-key (comp count ->roman)) ((juxt identity ->roman)))
   (try (->roman 4000) (catch AssertionError e (.getMessage e)))])
