;; A class of dates.
(java.time.LocalDate/now)
