;; A deque as a type of its own: two lists, rebalanced, with a protocol, printing and comparison.
(defprotocol Deque
  (push-front [d x])
  (push-back [d x])
  (front [d])
  (back [d])
  (drop-front [d])
  (drop-back [d])
  (items [d]))

(declare balanced)

(deftype TwoLists [left right]
  Deque
  (push-front [_ x] (balanced (cons x left) right))
  (push-back [_ x] (balanced left (cons x right)))
  (front [_] (if (seq left) (first left) (last right)))
  (back [_] (if (seq right) (first right) (last left)))
  (drop-front [_] (if (seq left) (balanced (rest left) right) (balanced () (butlast right))))
  (drop-back [_] (if (seq right) (balanced left (rest right)) (balanced (butlast left) ())))
  (items [_] (concat left (reverse right)))
  clojure.lang.IDeref
  (deref [this] (vec (items this)))
  Object
  (toString [this] (str "<" (clojure.string/join " " (items this)) ">")))

(defn balanced [left right]
  (let [all (concat left (reverse right))
        n (count all)]
    (if (or (and (empty? left) (> (count right) 1)) (and (empty? right) (> (count left) 1)))
      (let [[a b] (split-at (quot n 2) all)] (TwoLists. a (reverse b)))
      (TwoLists. left right))))

(def empty-deque (TwoLists. () ()))

(defn palindrome? [s]
  (loop [d (reduce push-back empty-deque s)]
    (cond
      (nil? (front d)) true
      (nil? (second (items d))) true
      (not= (front d) (back d)) false
      :else (recur (-> d drop-front drop-back)))))

(defn sliding-max [k xs]
  (->> (map-indexed vector xs)
       (reduce (fn [[d out] [i x]]
                 (let [d (loop [d d] (if (and (back d) (<= (second (back d)) x)) (recur (drop-back d)) d))
                       d (push-back d [i x])
                       d (if (<= (first (front d)) (- i k)) (drop-front d) d)]
                   [d (if (>= i (dec k)) (conj out (second (front d))) out)]))
               [empty-deque []])
       second))

(let [d (-> empty-deque (push-back 1) (push-back 2) (push-front 0) (push-back 3))]
  (println (str d) (front d) (back d))
  {:items @d
   :popped @(-> d drop-front drop-back)
   :palindromes (filterv palindrome? ["level" "abba" "abc" "" "x"])
   :window (sliding-max 3 [1 3 -1 -3 5 3 6 7])
   :type? [(instance? TwoLists d) (satisfies? Deque d)]})
