;; A library that is not here.
(require '[clojure.core.async :as a])
