;; ends in name
{{200000*a}}
;; ends in type or limit
(+ 1 (range))
;; ends in type or limit/fuel
(+ 1 (apply str (repeat 1000000 "a")))
;; ends in name
({{15000*b}} 1)
;; ends in thrown or limit/fuel
(throw (ex-info (apply str (repeat 1000000 "m")) {:a (apply str (repeat 1000000 "d"))}))
;; ends in failed or limit/fuel
(fail (apply str (repeat 1000000 "f")))
;; ends in thrown
(throw (ex-info "m" (zipmap (range 100000) (range))))
;; ends in arity
((keyword (apply str (repeat 100000 "k"))))
;; ends in type
(nth (vec (range 100000)) "x")
;; ends in value
(case 1 2 3 (apply str (repeat 10 "x")))
;; ends in value or limit
(case (apply str (repeat 100000 "x")) 2 3)
;; ends in thrown or limit
(throw (reduce (fn [e i] (ex-info (apply str (repeat 1000 "m")) {:i i} e)) nil (range 1000)))
;; ends in value
(json/parse-string (apply str "{" (repeat 100000 "a")))
;; ends in type
(assoc (map inc (range)) :a 1)
;; ends in parse or arity
(assert false (apply str (repeat 100000 "a")) 1)
;; ends in parse
{{100000*)}}
