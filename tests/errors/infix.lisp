;; A sum as in other languages.
(1 + 2)
