;; An error that the program throws, with data.
(throw (ex-info "no such order" {:id 7 :tried ["a" "b"]}))
