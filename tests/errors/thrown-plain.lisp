;; A thrown exception by class.
(throw (IllegalArgumentException. "bad order"))
