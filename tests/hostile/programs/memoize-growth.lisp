;; ends in limit
(let [f (memoize (fn [n] (str "a value made for " n)))]
  (loop [i 0] (f i) (recur (inc i))))
