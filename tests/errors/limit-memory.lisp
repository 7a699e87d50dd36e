;; A string that grows for ever.
(loop [s "abc"] (recur (str s s)))
