;; A number that came as text.
(+ 1 "2")
