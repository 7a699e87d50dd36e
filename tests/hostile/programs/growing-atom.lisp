;; ends in limit
(def a (atom []))
(loop [] (swap! a conj "another string that is kept for ever") (recur))
