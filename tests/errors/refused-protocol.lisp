;; Structs are not there.
(defstruct order :id :total)
