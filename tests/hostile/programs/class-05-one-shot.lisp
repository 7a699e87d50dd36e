;; ends in limit
(apply str (repeat 1000000000 "x"))
;; ends in limit
(vec (range 1000000000000))
;; ends in limit
(str/replace (apply str (repeat 10000 "a")) "a" (apply str (repeat 100000 "b")))
;; ends in limit
(str/join (apply str (repeat 100000 "b")) (range 100000))
;; ends in limit or value
(format "%999999999d" 1)
;; ends in limit
(into [] (repeat 1000000000 1))
;; ends in limit
(doall (range 1000000000))
;; ends in limit
(str/replace (apply str (repeat 30000 "a")) #"a" (apply str (repeat 50000 "b")))
;; ends in limit
(let [big (apply str (repeat 1000000 "a"))] (mapv (fn [i] (str i big)) (range 1000)))
;; ends in limit
(vec (repeat 9223372036854775807 1))
;; ends in limit
(apply vector (range 100000000))
;; ends in limit
(zipmap (range 100000000) (range))
;; ends in limit
(set (range 100000000))
;; ends in limit
(first (partition 100000000 1 (range)))
;; ends in limit
(str/escape (apply str (repeat 30000 "a")) {\a (apply str (repeat 50000 "b"))})
;; ends in limit
(with-out-str (dotimes [i 1000] (print (apply str (repeat 1000000 "a")))))
;; ends in limit
(sort (range 100000000))
;; ends in limit
(shuffle (range 100000000))
;; ends in limit or value
(take-last 100000000 (range 1000000000))
