;; ends in limit
(loop [v []] (recur (conj v (apply str (repeat 100000 "a")))))
;; ends in limit/output
(loop [] (println (apply str (repeat 1000 "a"))) (recur))
;; ends in limit
(loop [v []] (recur (conj v (json/generate-string (vec (range 10000))))))
;; ends in limit
(loop [v []] (recur (conj v (with-out-str (print (apply str (repeat 100000 "a")))))))
;; ends in limit
(loop [v [] i 0] (recur (conj v (keyword (apply str i (repeat 1000 "a")))) (inc i)))
;; ends in limit
(loop [v [] i 0] (recur (conj v (symbol (apply str i (repeat 1000 "a")))) (inc i)))
;; ends in limit
(loop [v [] i 0] (recur (conj v (ex-info (apply str i (repeat 1000 "a")) {})) (inc i)))
;; ends in limit
(loop [v [] i 0] (recur (conj v (try (throw (ex-info (apply str i (repeat 1000 "a")) {})) (catch Exception e e))) (inc i)))
;; ends in limit
(loop [v []] (recur (conj v (str/split (apply str (repeat 1000 "a,")) #","))))
;; ends in limit
(loop [v []] (recur (conj v (re-seq #"." (apply str (repeat 1000 "a,"))))))
;; ends in limit
(with-out-str (loop [] (print "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa") (recur)))
;; ends in limit
(loop [v []] (recur (conj v (vec (range 1000)))))
;; ends in limit
(loop [v []] (recur (conj v (try (+ 1 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa") (catch Exception e e)))))
;; ends in limit
(loop [v []] (recur (conj v (subs "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" 1))))
