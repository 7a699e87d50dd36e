;; A class that is not there.
(java.util.Date.)
