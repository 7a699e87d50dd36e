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
(loop [e (Exception. "a")] (count (pr-str e)) (recur (Exception. "b" e)))
;; ends in limit
(loop [e (ex-info "a" {})] (count (pr-str e)) (recur (ex-info "b" {:a e :b e} e)))
