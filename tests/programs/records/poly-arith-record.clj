;; Polynomials as sorted maps in records: arithmetic by protocols, printing with signs, evaluation, roots and calculus.
(require '[clojure.string :as str])
(defprotocol Algebra (plus [a b]) (times [a b]) (negate [a]) (evaluate [a x]) (degree [a]))
(declare poly)
(defn clean [m] (into (sorted-map-by >) (remove (comp zero? val)) m))
(defn term [[e c] first?]
  (let [a (abs c) sgn (if first? (if (neg? c) "-" "") (if (neg? c) " - " " + "))]
    (str sgn (if (and (= a 1) (pos? e)) "" a) (case (int e) 0 "" 1 "x" (str "x^" e)))))
(defrecord Poly [terms]
  Algebra
  (plus [_ b] (Poly. (clean (merge-with + terms (:terms b)))))
  (times [_ b] (Poly. (clean (reduce (fn [m [k v]] (update m k (fnil + 0) v)) {} (for [[e1 c1] terms [e2 c2] (:terms b)] [(+ e1 e2) (* c1 c2)])))))
  (negate [_] (Poly. (clean (update-vals terms -))))
  (evaluate [_ x] (reduce-kv (fn [acc e c] (+ acc (* c (reduce * (repeat e x))))) 0 terms))
  (degree [_] (if (seq terms) (key (first terms)) ##-Inf))
  Object (toString [_] (if (empty? terms) "0" (str/join (map term terms (cons true (repeat false)))))))
(extend-type Number Algebra
  (plus [a b] (plus (poly 0 a) b)) (times [a b] (times (poly 0 a) b)) (negate [a] (- a)) (evaluate [a _] a) (degree [_] 0))
(defn poly [& ecs] (->Poly (clean (apply hash-map ecs))))
(defn derivative [{:keys [terms]}] (->Poly (clean (into {} (for [[e c] terms :when (pos? e)] [(dec e) (* e c)])))))
(defn integral [{:keys [terms]}] (->Poly (clean (into {} (map (fn [[e c]] [(inc e) (/ c (inc e))])) terms))))
(defn divide [a b] (loop [q (poly) r a] (if (or (empty? (:terms r)) (< (degree r) (degree b))) [q r] (let [t (poly (- (degree r) (degree b)) (/ (val (first (:terms r))) (val (first (:terms b)))))] (recur (plus q t) (plus r (negate (times t b))))))))
(defn pow [p n] (nth (iterate (partial times p) (poly 0 1)) n))
(defn bisect [p lo hi] (loop [lo lo hi hi n 0] (let [mid (/ (+ lo hi) 2.0)] (if (> n 40) mid (if (pos? (* (evaluate p lo) (evaluate p mid))) (recur mid hi (inc n)) (recur lo mid (inc n)))))))
(def p (poly 2 1, 1 -3, 0 2)) (def q (poly 1 1 0 -1))
(println (str p) "|" (str q) "|" (str (plus p q)) "|" (str (times p q)) "|" (str (negate p)) "|" (str (poly)))
(println (str (pow q 4)) "|" (str (derivative (pow q 3))) "|" (str (integral p)) "|" (map str (divide p q)))
(array-map
 :eval [(evaluate p 5) (evaluate p 1/2) (evaluate (integral p) 3)] :deg (map degree [p (poly) 7]) :root (format "%.5f" (bisect (poly 2 1 0 -2) 0.0 2.0)) :num [(str (plus 3 p)) (str (times 2 p))] :eq [(= (plus p q) (plus q p)) (= p (poly 0 2 1 -3 2 1)) (zero? (evaluate p 2))]
 :rec (pr-str q) :lagrange (str (reduce plus (poly) (for [[xi yi] [[0 1] [1 3] [2 7]]] (times yi (reduce times (poly 0 1) (for [[xj] [[0] [1] [2]] :when (not= xi xj)] (times (poly 1 1 0 (- xj)) (poly 0 (/ 1 (- xi xj)))))))))) :big (evaluate (pow (poly 1 1 0 1) 20) 9N))
