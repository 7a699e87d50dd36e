;; ends in limit
(clojure.pprint/cl-format nil "~2000000000a" 1)
;; ends in limit
(clojure.pprint/cl-format nil "~2000000000%")
;; ends in limit
(clojure.pprint/cl-format nil "~,1000000000f" 1.5)
;; ends in limit
(clojure.pprint/cl-format nil "~,,2000000000f" 1.5)
;; ends in limit
(clojure.pprint/cl-format nil "~1000000000$" 1.5)
;; ends in limit
(clojure.pprint/cl-format nil "~,1000000000$" 1.5)
;; ends in limit
(clojure.pprint/cl-format nil "~{~a~}" (range))
;; ends in limit or value
(clojure.pprint/cl-format nil "~{~:*~a~}" [1 2])
;; ends in value
(clojure.pprint/cl-format nil (apply str (repeat 1000 "~{")))
;; ends in limit or value
(let [f (apply str (repeat 100000 "~a"))] (apply clojure.pprint/cl-format nil f (repeat 100000 "x")))
;; ends in limit
(clojure.pprint/cl-format nil "~{~a~}" (repeat 100000000 1))
;; ends in value
(let [f (fn f [n] (if (zero? n) "x" (str "~?")))] (clojure.pprint/cl-format nil "~?" "~?" ["~?" ["~?" ["a" []]]]))
;; ends in limit or value
(clojure.pprint/cl-format nil "~d" (apply *' (repeat 20000 99999)))
;; ends in limit or type
(clojure.pprint/cl-format nil "~:r" (apply *' (repeat 20 99999)))
;; ends in limit or value
(clojure.pprint/cl-format nil "~(~(~(~(~(~(~(~(~a~)~)~)~)~)~)~)~)" (apply str (repeat 1000000 "A")))
;; ends in limit or value
(clojure.pprint/cl-format nil "~2147483647,2147483647,2147483647,'xa" 1)
;; ends in limit or value
(clojure.pprint/cl-format nil "~99999999999999999999a" 1)
;; ends in limit or value
(clojure.pprint/cl-format nil "~,-5f ~-5,-5$ ~-1*" 1.5 2.5)
;; ends in limit
(clojure.pprint/cl-format nil "~2000000000T" )
;; ends in limit
(loop [s (apply str (repeat 500 "a~9,90T"))] (clojure.pprint/cl-format nil s) (recur s))
;; ends in limit
(clojure.pprint/cl-format nil "~{~T~*~}" (range))
