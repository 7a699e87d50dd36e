;; A method that is not there.
(.getChars "abc")
