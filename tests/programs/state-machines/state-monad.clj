; A state monad written by hand with a macro for its notation: labels for trees and a random walk from a seed.
(defn return [x] (fn [s] [x s]))

(defn bind [m f]
  (fn [s]
    (let [[x s'] (m s)]
      ((f x) s'))))

(defmacro mdo
  "Like let, but each right side is an action."
  [bindings result]
  (if-let [[sym action & more] (seq bindings)]
    `(bind ~action (fn [~sym] (mdo ~(vec more) ~result)))
    `(return ~result)))

(def get-state (fn [s] [s s]))
(defn put-state [s] (fn [_] [nil s]))
(defn modify [f & args] (fn [s] [nil (apply f s args)]))

(defn map-m [f xs]
  (reduce (fn [acc x]
            (mdo [ys acc
                  y  (f x)]
              (conj ys y)))
          (return [])
          xs))

(def fresh-label
  (mdo [n get-state
        _ (put-state (inc n))]
    (keyword (str "n" n))))

(defn label [tree]
  (if (sequential? tree)
    (mdo [l fresh-label
          kids (map-m label tree)]
      {:label l :children kids})
    (mdo [l fresh-label]
      {:label l :value tree})))

(defn next-int
  "A linear congruential generator."
  [limit]
  (mdo [seed get-state
        _    (put-state (mod (+ (* seed 1103515245) 12345) 2147483648))
        s    get-state]
    (mod (quot s 65536) limit)))

(def dice (map-m (fn [_] (next-int 6)) (range 10)))

(def counter
  (mdo [_ (modify + 5)
        _ (modify * 2)
        a get-state
        _ (modify - 1)]
    [:was a]))

(let [[tree n] ((label [1 [2 3] []]) 0)]
  (println "labels used:" n)
  (println (:label tree) (map :label (:children tree)))
  {:tree    (get-in tree [:children 1])
   :dice    (first (dice 42))
   :again   (= (dice 42) (dice 42))
   :counter (counter 1)
   :walk    (reductions + (map #(- % 2) (first ((map-m (fn [_] (next-int 5)) (range 8)) 7))))
   :expands (first (macroexpand-1 '(mdo [x m] x)))})
