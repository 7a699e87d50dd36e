;; A class that is not there.
(java.util.ArrayList. [1 2])
