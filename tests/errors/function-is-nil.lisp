;; What map is to call is missing.
(map (:f {}) [1 2])
