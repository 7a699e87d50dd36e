;; An exception made without its dot.
(throw (Exception "boom"))
