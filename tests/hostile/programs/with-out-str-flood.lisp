;; ends in limit
(with-out-str (dotimes [i 100000000] (print "a line that is printed over and over again")))
