;; ends in limit
(loop [] (str 80621.43579101562) (recur))
