;; A cond without its last value.
(cond (> 1 2) :a :else)
