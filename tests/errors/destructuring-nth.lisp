;; A vector pattern on a map.
(let [[id total] {:id 1 :total 5}] id)
