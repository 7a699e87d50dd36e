;; A text that is no number.
(Integer/parseInt "12 euro")
