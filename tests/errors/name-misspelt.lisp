;; A name with one letter in the wrong place.
(def late (filter :late ctx/orders))
(coutn late)
