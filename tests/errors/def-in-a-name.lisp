;; A string where the name stands.
(def "total" 5)
