;; A method that is not there.
(.getBytes "abc")
