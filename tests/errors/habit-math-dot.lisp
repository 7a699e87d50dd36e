;; A dot where a slash should be.
(Math.floor 2.5)
