;; No constant fits.
(case :d :a 1 :b 2)
