;; Sieve primes, factor numbers and find perfect and amicable numbers.
(defn sieve [n]
  (loop [candidates (transient (vec (repeat (inc n) true)))
         i 2]
    (if (<= (* i i) n)
      (recur (if (nth candidates i)
               (reduce #(assoc! %1 %2 false) candidates (range (* i i) (inc n) i))
               candidates)
             (inc i))
      (let [v (persistent! candidates)]
        (filterv #(nth v %) (range 2 (inc n)))))))

(def primes
  (remove
   (fn [n] (some #(zero? (rem n %)) (range 2 (inc (long (Math/sqrt n))))))
   (iterate inc 2)))

(defn factors [n]
  (loop [n n f 2 acc []]
    (cond
      (= n 1) acc
      (> (* f f) n) (conj acc n)
      (zero? (mod n f)) (recur (quot n f) f (conj acc f))
      :else (recur n (if (= f 2) 3 (+ f 2)) acc))))

(defn divisor-sum [n]
  (reduce (fn [s d]
            (if (zero? (rem n d))
              (let [e (quot n d)]
                (+ s d (if (or (= d 1) (= d e)) 0 e)))
              s))
          0
          (range 1 (inc (long (Math/sqrt n))))))

(defn gcd [a b] (if (zero? b) a (recur b (rem a b))))

(defn totient [n]
  (reduce (fn [acc p] (* acc (- 1 (/ p)))) n (distinct (factors n))))

(println (take 15 primes))
(println (frequencies (factors 360)))

{:same? (= (sieve 100) (take-while (partial >= 100) primes))
 :count (count (sieve 2000))
 :factors (into (sorted-map) (map (juxt identity factors)) [97 1001 1024 999999])
 :big (factors 600851475143)
 :perfect (filter #(= % (divisor-sum %)) (range 2 1000))
 :amicable (for [a (range 2 1300)
                 :let [b (divisor-sum a)]
                 :when (and (< a b) (= a (divisor-sum b)))]
             [a b])
 :gcd (reduce gcd [84 126 210])
 :totients (map totient [1 10 36 97])}
