;; Vars that are changed in place are not there.
(with-local-vars [x 1] (var-set x 2))
