;; recur that is not the last thing done.
(defn sum-to [n]
  (if (zero? n) 0 (+ n (recur (dec n)))))
