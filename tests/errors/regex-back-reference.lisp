;; A back-reference.
(re-find #"(a)\1" "aa")
