;; Programs have no threads: each of these is an unknown name, or runs in order within the turn.
;; ends in denied
(pmap inc (range 10))
;; ends in denied
(doall (pmap (fn [x] (loop [] (recur))) (range 1000)))
;; ends in denied
(future (loop [] (recur)))
;; ends in denied
(pcalls (fn [] 1) (fn [] 2))
;; ends in denied
(agent 1)
;; ends in denied
(promise)
