;; A string function on a number.
(str/split 5 #",")
