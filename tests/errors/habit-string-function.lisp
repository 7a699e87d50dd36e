;; A function that clojure.string does not have.
(str/length "abc")
