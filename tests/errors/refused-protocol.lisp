;; Classes of the host are not there.
(proxy [Object] [] (toString [] "x"))
