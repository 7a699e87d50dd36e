;; A string without an end.
(println "hello)
(+ 1 2)
