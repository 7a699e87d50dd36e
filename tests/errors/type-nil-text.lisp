;; A missing key where a text is due.
(str/upper-case (:nick {:name "x"}))
