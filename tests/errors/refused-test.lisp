;; Tests as clojure.test has them.
(require '[clojure.test :refer [deftest is]])
(deftest adds (is (= 2 (+ 1 1))))
