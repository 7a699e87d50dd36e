;; How other languages give a name.
total = 5
