;; A parameter too many.
(tool/customer "c1" true)
