;; A vector pattern on a number.
(map (fn [[k v]] k) [1 2])
