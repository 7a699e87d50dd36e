;; Past the end of a string.
(subs "abc" 2 9)
