;; Refs and futures are not there.
(future (+ 1 2))
