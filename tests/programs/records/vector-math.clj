;; Do vector arithmetic with records that implement a protocol and print themselves.
(defprotocol VecOps
  (v+ [a b])
  (v* [a k])
  (dot [a b])
  (norm [a]))

(defrecord V2 [x y]
  VecOps
  (v+ [_ b] (V2. (+ x (:x b)) (+ y (:y b))))
  (v* [_ k] (V2. (* x k) (* y k)))
  (dot [_ b] (+ (* x (.-x b)) (* y (.-y b))))
  (norm [a] (Math/sqrt (dot a a)))
  Object
  (toString [_] (str "<" x " " y ">")))

(defn v- [a b] (v+ a (v* b -1)))

(defn centroid [vs]
  (v* (reduce v+ vs) (/ 1 (count vs))))

(defn polygon-area [vs]
  (let [cross (fn [a b] (- (* (:x a) (:y b)) (* (:y a) (:x b))))]
    (/ (Math/abs (double (apply + (map cross vs (rest (cycle vs)))))) 2)))

(def square (mapv (partial apply ->V2) [[0 0] [4 0] [4 4] [0 4]]))

(println (str (first square)) (str (centroid square)))
(println (mapv str (map #(v- % (centroid square)) square)))

(defn nearest [p vs]
  (->> vs (sort-by #(norm (v- p %))) first))

{:area (polygon-area square)
 :centroid (centroid square)
 :nearest (nearest (->V2 3 5) square)
 :norm (norm (->V2 3 4))
 :sum (reduce v+ square)
 :perp? (zero? (dot (->V2 1 2) (->V2 -2 1)))
 :sorted (mapv (juxt :x :y) (sort-by (juxt (comp - :y) :x) square))
 :fields (let [{:keys [x y]} (->V2 7 8)] [x y])}
