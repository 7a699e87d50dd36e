;; Texts are not ordered by <.
(sort-by :name < [{:name "b"} {:name "a"}])
