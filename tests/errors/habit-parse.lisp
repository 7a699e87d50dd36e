;; A number in a text, with the name of another library.
(parse-int "5")
