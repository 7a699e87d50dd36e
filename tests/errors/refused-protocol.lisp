;; Records are not there.
(defrecord Order [id total])
