;; ends in value or arithmetic
(int ##NaN)
;; ends in arithmetic or value
(int 1e300)
;; ends in limit or value
(count (range 1e16 1.1e16 0.1))
;; ends in limit
(count (range 0 ##Inf 1.0))
;; ends in limit or value
(vec (range 0 1 ##NaN))
;; ends in value
(sort [##NaN 1.0 ##-Inf ##NaN ##Inf -0.0 0.0])
;; ends in limit or value
(take 5 (range 0 1 0.0))
;; ends in value
[(max ##NaN 1) (min 1 ##NaN) (compare ##NaN 1) (set [##NaN ##NaN])]
;; ends in value or arithmetic
(bigint 1e308)
;; ends in value or arithmetic or type
(rationalize ##Inf)
;; ends in value or arithmetic or value
(Math/round ##Inf)
;; ends in value
[(Math/pow 10 1e10) (Math/sqrt -1) (/ 1.0 0.0)]
