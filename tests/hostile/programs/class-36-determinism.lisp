;; ends in value
(pr-str (set (range 100)) (zipmap (map str (range 100)) (range)))
;; ends in value
[(rand-int 100) (shuffle (range 10)) (random-uuid) (rand)]
;; ends in value
(str 0.1 1e21 1e-7 (/ 1.0 3) (Math/pow 2 0.5))
;; ends in value
(group-by odd? (set (range 50)))
;; ends in value
[(hash {:a 1 :b 2}) (hash [1 "a" :b]) (hash #{1 2 3})]
