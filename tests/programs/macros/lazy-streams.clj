;; Streams by macros: delayed tails, memoized, with a few combinators and sequences defined by themselves.
(defmacro stream-cons [head tail]
  `[~head (delay ~tail)])

(defmacro defstream [stream-name head tail]
  `(def ~stream-name (stream-cons ~head ~tail)))

(defn head [s] (first s))
(defn tail [s] (some-> s second force))

(defn take-stream [n s]
  (loop [n n, s s, out []]
    (if (or (zero? n) (nil? s)) out (recur (dec n) (tail s) (conj out (head s))))))

(defn map-stream [f & ss]
  (when (every? some? ss)
    (stream-cons (apply f (map head ss)) (apply map-stream f (map tail ss)))))

(defn filter-stream [pred s]
  (loop [s s]
    (cond
      (nil? s) nil
      (pred (head s)) (stream-cons (head s) (filter-stream pred (tail s)))
      :else (recur (tail s)))))

(defn merge-streams [a b]
  (let [x (head a), y (head b)]
    (cond
      (< x y) (stream-cons x (merge-streams (tail a) b))
      (> x y) (stream-cons y (merge-streams a (tail b)))
      :else   (stream-cons x (merge-streams (tail a) (tail b))))))

(defn integers [n] (stream-cons n (integers (inc n))))

(declare fibs)
(defstream fibs 0 (stream-cons 1 (map-stream + fibs (tail fibs))))

(declare hamming)
(defstream hamming 1
  (merge-streams (map-stream #(* 2 %) hamming)
                 (merge-streams (map-stream #(* 3 %) hamming) (map-stream #(* 5 %) hamming))))

(defn sieve [s]
  (let [p (head s)]
    (stream-cons p (sieve (filter-stream #(pos? (mod % p)) (tail s))))))

(def calls (atom 0))
(def counted (map-stream (fn [x] (swap! calls inc) x) (integers 1)))

(println (take-stream 10 fibs))
(println (take-stream 12 hamming))

{:primes  (take-stream 8 (sieve (integers 2)))
 :squares (take-stream 4 (map-stream * (integers 1) (integers 1)))
 :once    (do (take-stream 5 counted) (take-stream 5 counted) @calls)
 :finite  (take-stream 9 (stream-cons :a (stream-cons :b nil)))
 :form    (first (macroexpand-1 '(stream-cons 1 2)))}
