;; ends in limit
(let [w (java.io.StringWriter.)] (binding [*out* w] (loop [] (println "0123456789abcdef") (recur))))
;; ends in limit
(loop [] (.write *out* "0123456789abcdef") (recur))
;; ends in limit
(loop [] (binding [*out* *err*] (println "0123456789abcdef")) (recur))
;; ends in limit
((fn f [] (binding [*out* (java.io.StringWriter.)] (f))))
;; ends in limit
((fn f [] (with-out-str *out* (f))))
;; ends in limit
(with-out-str (let [w *out*] (loop [] (.append w (apply str (repeat 1000 "a"))) (recur))))
;; ends in limit
(def ws (loop [ws []] (recur (conj ws (java.io.StringWriter.)))))
;; ends in limit
(defrecord P [x]) (defmethod print-method P [p w] (print-method p w)) (pr-str (->P 1))
;; ends in limit
(defrecord P [x]) (defmethod print-method P [p w] (.write w (pr-str [p]))) (pr-str (->P 1))
;; ends in limit
(defrecord P [x]) (defmethod print-method P [p w] (loop [] (.write w "aaaaaaaaaaaaaaaaaaa") (recur))) (println [(->P 1)])
;; ends in limit
(defrecord P [x]) (defmethod print-method P [p w] (.write w "aaaaaaaaaaaaaaaaaaa")) (println (map ->P (range)))
;; ends in limit
(defrecord P [x]) (defmethod print-method P [p w] (.write w "a")) (loop [v [(->P 1)]] (pr-str v) (recur [v v]))
;; ends in limit
(defrecord P [x]) (defmethod print-method P [p w] (print-method (:x p) w)) (pr-str (reduce (fn [a _] (->P a)) 1 (range 100000)))
;; ends in limit
(binding [*print-dup* true] (loop [v {:a 1}] (pr-str v) (recur {:a v :b v})))
;; ends in limit
(loop [e (Exception. "a")] (count (pr-str e)) (recur (Exception. "b" e)))
;; ends in limit
(loop [e (ex-info "a" {})] (count (pr-str e)) (recur (ex-info "b" {:a e :b e} e)))
;; ends in limit
(loop [n 0] (defmethod print-method (keyword (str "k" n)) [v w] (.write w "a")) (pr-str (with-meta [1] {:type (keyword (str "k" n))})) (recur (inc n)))
