;; Names of namespaces are not taken away.
(def x 1)
(ns-unmap *ns* (quote x))
