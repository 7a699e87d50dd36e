;; What a macro gave is no program.
(defmacro swapped [f a b] `(~f ~b))
(defn share [part whole] (/ part whole))
(println (swapped share 1 4))
