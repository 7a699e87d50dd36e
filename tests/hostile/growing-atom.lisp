;; ends in limit/memory
(def a (atom []))
(loop [] (swap! a conj "another string that is kept for ever") (recur))
