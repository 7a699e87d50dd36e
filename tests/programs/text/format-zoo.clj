; Numbers and texts in all the formats that reports need: padding, signs, bases, percentages, exponents, plurals.
(require '[clojure.string :as str])

(defn percent [x] (format "%.1f%%" (* 100.0 x)))

(defn human-size [bytes]
  (loop [x (double bytes) [u & us] ["B" "KB" "MB" "GB"]]
    (if (or (< x 1024) (empty? us))
      (if (= u "B") (format "%d %s" (long x) u) (format "%.1f %s" x u))
      (recur (/ x 1024) us))))

(println (format "|%5d|%-5d|%05d|%+d|%,d|" 42 42 42 42 1234567))
(println (format "|%8.3f|%-8.2f|%e|%.0f|" Math/PI Math/E 12345.678 2.5))
(println (format "|%10s|%-10s|%.3s|%S|" "right" "left" "truncate" "shout"))
(println (format "%x %X %o %08X %c %b %%" 255 255 8 48879 \z true))
(println (format "%2$s before %1$s" "a" "b"))
(println (String/format "%s-%s" (to-array ["x" "y"])))

(printf "%s has %d point%s\n" "Ann" 1 (if (= 1 1) "" "s"))
(pr "quoted" \c :k 'sym nil 1.0)
(newline)
(print "a" "b\n")
(prn {:a [1 "x"]})

{:sizes   (map human-size [0 999 2048 5000000 7.5e9])
 :percent (map percent [0.123 1 1/3])
 :bases   [(Long/toString 255 2) (Integer/toHexString 255) (Long/parseLong "ff" 16) (Integer/toOctalString 8) (Integer/parseInt "-101" 2)]
 :padded  [(str/join (concat (repeat 3 "0") ["7"])) (format "%03d" 7)]
 :numbers [(str 1.0) (str 1e10) (str 1.0E-5) (str 100000000000) (str 1/3) (str 3.0e7) (str 123456789.123)]
 :strs    (pr-str "tab\t newline\n quote\" back\\ é")}
