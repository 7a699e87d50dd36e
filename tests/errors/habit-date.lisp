;; A clock of a class of dates.
(java.time.Clock/systemUTC)
