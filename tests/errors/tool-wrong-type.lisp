;; A number where a string should be; the first call was made.
(tool/customer "c1")
(tool/customer 17)
