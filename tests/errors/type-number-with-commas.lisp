;; A number that came as text, with commas between thousands.
(+ 1 "1,200.00")
