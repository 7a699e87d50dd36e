;; A modifier that `for` does not have.
(for [x [1 2 3] :where (odd? x)] x)
