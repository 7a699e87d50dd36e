;; A misspelt name is found even inside try.
(try (pritnln "x") (catch Exception e :none))
