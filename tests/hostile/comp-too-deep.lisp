;; ends in limit/depth
((reduce comp (repeat 100000 inc)) 0)
