;; The program gives up.
(fail "there is no data for March")
