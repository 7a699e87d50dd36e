;; Define functions that remember their results, with a macro that counts the misses.
(defmacro defmemo
  "Like defn for a single arity, but memoized; the cache is in the metadata of the var."
  [name doc args & body]
  (let [cache (gensym "cache")
        misses (gensym "misses")]
    `(do
       (declare ~name)
       (let [~cache (atom {})
             ~misses (atom 0)
             f# (fn ~args ~@body)]
         (def ~(with-meta name {:doc doc :cache cache :misses misses})
           (fn [& xs#]
             (if-let [e# (find @~cache xs#)]
               (val e#)
               (let [v# (apply f# xs#)]
                 (swap! ~misses inc)
                 (swap! ~cache assoc xs# v#)
                 v#)))))
       (var ~name))))

(defmemo fib
  "The nth Fibonacci number."
  [n]
  (if (< n 2) n (+' (fib (- n 1)) (fib (- n 2)))))

(defmemo binomial
  "n over k."
  [n k]
  (cond (or (= k 0) (= k n)) 1
        :else (+ (binomial (dec n) (dec k)) (binomial (dec n) k))))

(defmemo edit-distance
  "Levenshtein distance of two strings."
  [a b]
  (cond
    (empty? a) (count b)
    (empty? b) (count a)
    :else (min (inc (edit-distance (rest a) b))
               (inc (edit-distance a (rest b)))
               (+ (edit-distance (rest a) (rest b))
                  (if (= (first a) (first b)) 0 1)))))

(println (fib 90))
(println (fib 100))
(println (map #(binomial 6 %) (range 7)))

{:distance (edit-distance "kitten" "sitting")
 :binomial (binomial 30 15)
 :doc (:doc (meta #'fib))
 :misses (update-vals {:fib (meta #'fib) :edit (meta #'edit-distance)} (fn [m] @(:misses m)))
 :cached (get @(:cache (meta #'fib)) [10])
 :var? (var? #'binomial)
 :plain (let [f (memoize (fn [x] (println "computing" x) (* x x)))]
          [(f 4) (f 4) (f 5)])}
