;; ends in value or arithmetic
(quot -9223372036854775808 -1)
;; ends in value or arithmetic
(rem -9223372036854775808 -1)
;; ends in value or arithmetic
(mod -9223372036854775808 -1)
;; ends in value or arithmetic
(abs -9223372036854775808)
;; ends in value
[(bit-shift-left 1 64) (bit-shift-left 1 -1) (bit-shift-right 1 1000) (unsigned-bit-shift-right -1 64)]
;; ends in arithmetic
(inc 9223372036854775807)
;; ends in arithmetic
(- -9223372036854775808)
;; ends in arithmetic
(* 9223372036854775807 2)
;; ends in arithmetic
(mod 5 0)
;; ends in value
(count (range 9223372036854775800 9223372036854775807))
;; ends in value
(take 3 (range -9223372036854775808 9223372036854775807 9223372036854775807))
;; ends in index or type or value
(nth [1] 9223372036854775807)
;; ends in value
[(take -9223372036854775808 [1]) (drop 9223372036854775807 [1]) (partition 9223372036854775807 [1])]
;; ends in value or type or index or value
(subs "abc" 9223372036854775807)
