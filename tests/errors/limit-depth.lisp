;; A recursion that does not end.
(defn down [n] (+ 1 (down (dec n))))
(down 10)
