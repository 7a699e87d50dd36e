;; A look-behind of any length.
(re-seq #"(?<=(?:ab)*)c" "ababc")
