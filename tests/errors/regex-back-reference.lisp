;; A back-reference to a group that is not there.
(re-find #"(?<q>a)\k<r>" "aa")
