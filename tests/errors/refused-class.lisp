;; A class that is not there.
(java.util.Vector. [1 2])
