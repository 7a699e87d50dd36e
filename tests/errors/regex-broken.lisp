;; A regex that is none.
(re-find #"(a" "a")
