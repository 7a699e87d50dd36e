;; A function of a known namespace that it does not have.
(str/uppercase "a")
