;; The tool itself says no.
(def c (tool/customer "c1"))
(tool/refund (:id c) 50)
