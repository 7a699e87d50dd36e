;; ends in value
;; Filters on filters are run flat, so nothing nests.
(first (reduce (fn [s _] (filter odd? s)) (range) (range 20000)))
