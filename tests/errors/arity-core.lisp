;; Too many arguments of a core function, found beforehand: nothing is called.
(tool/customer "c1")
(inc 1 2)
