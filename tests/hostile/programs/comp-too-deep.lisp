;; ends in limit
((reduce comp (repeat 100000 inc)) 0)
