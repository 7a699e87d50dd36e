;; Convert numbers to Roman numerals, words and other bases, and back again.
(require '[clojure.string :as str])

(def numerals
  (partition 2 [1000 "M" 900 "CM" 500 "D" 400 "CD" 100 "C" 90 "XC" 50 "L" 40 "XL" 10 "X" 9 "IX" 5 "V" 4 "IV" 1 "I"]))

(defn ->roman [n]
  {:pre [(< 0 n 4000)]}
  (loop [n n, [[v s] & more :as all] numerals, out ""]
    (cond
      (zero? n) out
      (>= n v) (recur (- n v) all (str out s))
      :else (recur n more out))))

(defn roman-> [s]
  (let [digits (map {\I 1 \V 5 \X 10 \L 50 \C 100 \D 500 \M 1000} s)]
    (->> (map vector digits (concat (rest digits) [0]))
         (reduce (fn [sum [a b]] ((if (< a b) - +) sum a)) 0))))

(def ones ["zero" "one" "two" "three" "four" "five" "six" "seven" "eight" "nine" "ten" "eleven" "twelve"
           "thirteen" "fourteen" "fifteen" "sixteen" "seventeen" "eighteen" "nineteen"])
(def tens [nil nil "twenty" "thirty" "forty" "fifty" "sixty" "seventy" "eighty" "ninety"])

(defn words [n]
  (cond
    (neg? n) (str "minus " (words (- n)))
    (< n 20) (ones n)
    (< n 100) (str (tens (quot n 10)) (when (pos? (rem n 10)) (str "-" (ones (rem n 10)))))
    (< n 1000) (str (ones (quot n 100)) " hundred" (when (pos? (rem n 100)) (str " and " (words (rem n 100)))))
    :else (some (fn [[size label]]
                  (when (>= n size)
                    (str/trim (str (words (quot n size)) " " label " "
                                   (when (pos? (rem n size)) (words (rem n size)))))))
                [[1000000000 "billion"] [1000000 "million"] [1000 "thousand"]])))

(defn to-base [n base]
  (if (zero? n)
    "0"
    (->> n
         (iterate #(quot % base))
         (take-while pos?)
         (map #(nth "0123456789abcdefghijklmnopqrstuvwxyz" (mod % base)))
         reverse
         (apply str))))

(doseq [n [4 9 14 1994 2024 3999]]
  (println n (->roman n) (words n)))

{:roundtrip? (every? #(= % (roman-> (->roman %))) (range 1 4000))
 :pre (try (->roman 0) (catch AssertionError _ :refused))
 :words (mapv words [0 21 100 111 -7 1000001 12345])
 :bases (map #(to-base 255 %) [2 3 16 36])
 :agree? (every? #(= (to-base % 7) (Long/toString % 7)) (range 0 500 37))
 :digits (->> (str 90210) (map #(Character/getNumericValue %)) (reduce +))
 :bits [(bit-and 12 10) (bit-or 12 10) (bit-xor 12 10) (bit-shift-left 1 10) (bit-shift-right -8 1) (Long/bitCount 255) (bit-test 5 2)]
 :letters (map char (range (int \a) (+ 5 (int \a))))}
