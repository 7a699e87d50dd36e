;; Model shapes as records with a protocol for area and perimeter and rank them.
(defprotocol Shape
  "Things with an area."
  (area [this] "The area of the shape.")
  (perimeter [this])
  (scale [this factor] "The same shape, larger or smaller."))

(defrecord Circle [r]
  Shape
  (area [_] (* Math/PI r r))
  (perimeter [_] (* 2 Math/PI r))
  (scale [this k] (update this :r * k)))

(defrecord Rect [w h]
  Shape
  (area [_] (* w h))
  (perimeter [this] (* 2 (+ (:w this) (:h this))))
  (scale [_ k] (->Rect (* k w) (* k h))))

(defrecord Triangle [a b c]
  Shape
  (area [this]
    (let [s (/ (perimeter this) 2)]
      (Math/sqrt (* s (- s a) (- s b) (- s c)))))
  (perimeter [_] (+ a b c))
  (scale [_ k] (apply ->Triangle (map (partial * k) [a b c]))))

(def shapes [(->Circle 1.5) (->Rect 2 3) (map->Triangle {:a 3 :b 4 :c 5}) (map->Rect {:w 1 :h 9})])

(doseq [s shapes]
  (println (format "%-8s area %6.2f perimeter %6.2f"
                   (.getSimpleName (class s))
                   (double (area s))
                   (double (perimeter s)))))

(println (->Rect 1 2))

{:largest (apply max-key area shapes)
 :doubled (mapv #(scale % 2) (rest shapes))
 :total (Math/round (double (reduce + (map area shapes))))
 :satisfies (map (partial satisfies? Shape) [(first shapes) {} nil])
 :by-type (into (sorted-map) (map (fn [[k v]] [(.getSimpleName k) (count v)])) (group-by type shapes))}
