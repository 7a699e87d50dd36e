;; A comprehension over what is no collection.
(for [x 5] x)
