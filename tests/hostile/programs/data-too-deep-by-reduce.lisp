;; ends in limit/depth
(reduce (fn [v _] {:v v}) nil (range 500000))
