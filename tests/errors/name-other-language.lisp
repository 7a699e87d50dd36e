;; Habits from other Lisps.
(setq total 5)
