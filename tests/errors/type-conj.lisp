;; assoc on something that is no map.
(assoc "abc" :a 1)
