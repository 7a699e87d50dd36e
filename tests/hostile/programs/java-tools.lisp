;; ends in limit/fuel
(let [r (java.util.Random. 42)] (loop [] (.nextInt r 10) (recur)))
;; ends in limit/fuel
(let [r (java.util.Random. 42)] (loop [] (.nextGaussian r) (recur)))
;; ends in limit/fuel
(let [r (java.util.Random. 42)] (loop [] (.nextInt r 1073741825) (.nextLong r 4611686018427387905) (recur)))
;; ends in limit/fuel
(let [r (java.util.Random. 42)] (loop [] (.nextLong r -6000000000000000000 6000000000000000000) (recur)))
;; ends in limit
(loop [] (java.util.Random. 42) (recur))
;; ends in limit
(loop [all []] (recur (conj all (java.util.Random. 42))))
;; ends in limit
(let [r (java.util.Random. 42) b (byte-array 100000)] (loop [] (.nextBytes r b) (recur)))
;; ends in limit
(let [e (java.util.Base64/getEncoder) b (byte-array 100000)] (loop [] (.encodeToString e b) (recur)))
;; ends in limit
(let [e (java.util.Base64/getMimeEncoder) b (byte-array 100000)] (loop [] (.encode e b) (recur)))
;; ends in limit
(let [d (java.util.Base64/getDecoder) s (apply str (repeat 100000 "abcd"))] (loop [] (.decode d s) (recur)))
;; ends in limit
(let [d (java.util.Base64/getMimeDecoder) s (apply str (repeat 100000 "****"))] (loop [] (.decode d s) (recur)))
;; ends in limit
(let [s (apply str (repeat 100000 "é"))] (loop [] (java.net.URLEncoder/encode s "UTF-16") (recur)))
;; ends in limit
(let [s (apply str (repeat 100000 "%C3%A9"))] (loop [] (java.net.URLDecoder/decode s "UTF-8") (recur)))
;; ends in limit
(let [s (apply str (repeat 100000 "é "))] (loop [] (java.net.URLEncoder/encode s "UTF-8") (recur)))
;; ends in limit
(let [d (java.security.MessageDigest/getInstance "SHA-512") b (byte-array 10000)] (loop [] (.update d b) (recur)))
;; ends in limit
(let [d (java.security.MessageDigest/getInstance "SHA-512") b (byte-array 100000)] (loop [] (.digest d b) (recur)))
;; ends in limit
(let [d (java.security.MessageDigest/getInstance "MD5") b (byte-array 100000)] (dotimes [_ 1000] (.update d b)) (.digest d))
;; ends in limit
(let [d (java.security.MessageDigest/getInstance "SHA-1")] (loop [] (.update d (byte 1)) (.digest d) (recur)))
;; ends in limit
(loop [] (java.util.UUID/nameUUIDFromBytes (byte-array 10000)) (recur))
;; ends in limit
(let [s (apply str (repeat 100000 "a "))] (loop [] (.countTokens (java.util.StringTokenizer. s)) (recur)))
;; ends in limit
(let [s (apply str (repeat 100000 "a")) d (apply str (map char (range 1000 20000)))] (loop [] (.countTokens (java.util.StringTokenizer. s d)) (recur)))
;; ends in limit
(let [t (java.util.StringTokenizer. (apply str (repeat 100000 " ")))] (loop [] (.hasMoreTokens t) (recur)))
;; ends in value
(let [t (java.util.StringTokenizer. "a b")] (count (pr-str [t (str t)])))
;; ends in value or limit
(let [r (java.util.Random. 1) l (java.util.ArrayList. (range 10000))] (java.util.Collections/shuffle l r) (.size l))
;; ends in limit
(let [a (object-array 1)] (loop [n 0] (aset a 0 (object-array [(aget a 0)])) (java.util.Objects/hash a) (recur (inc n))))
;; ends in limit
(let [f (java.text.DecimalFormat. "0.00")] (loop [] (.format f 1234567.891) (recur)))
;; ends in limit
(let [f (java.text.DecimalFormat. "0")] (.setMinimumFractionDigits f 2000000000) (.format f 1M))
;; ends in limit
(let [f (java.text.DecimalFormat. "0")] (.setMinimumIntegerDigits f 2000000000) (.format f 1))
;; ends in limit
(.format (java.text.DecimalFormat. "0") (bigdec "1E+2000000000"))
;; ends in limit
(loop [] (.format (java.text.DecimalFormat. "#,##0.00") (bigdec "1E+100000")) (recur))
;; ends in limit
(let [p (apply str (repeat 100000 "0"))] (loop [] (java.text.DecimalFormat. p) (recur)))
;; ends in limit
(let [f (java.text.DecimalFormat. (apply str (repeat 100000 "'a'")))] (loop [] (.format f 1) (recur)))
;; ends in limit
(let [f (java.text.DecimalFormat. "0") s (apply str (repeat 1000000 "1"))] (loop [] (.parse f s) (recur)))
;; ends in limit
(let [f (java.text.DecimalFormat. "0")] (loop [] (.format f 1e300) (recur)))
;; ends in limit
(loop [] (str 80621.43579101562) (recur))
