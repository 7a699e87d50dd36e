;; Look-around.
(re-seq #"\d+(?= euro)" "5 euro, 6 dollars")
