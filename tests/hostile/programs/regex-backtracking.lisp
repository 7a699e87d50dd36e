;; ends in value
;; The regex is linear: this ends at once with its answer.
(re-matches #"^(a+)+$" (apply str (concat (repeat 5000 "a") ["b"])))
