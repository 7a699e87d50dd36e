;; Single quotes for a string.
(println 'hello world')
