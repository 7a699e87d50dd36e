; Compute areas and perimeters of shapes with a protocol and records.
(defprotocol Shape
  "Things with an extent in the plane."
  (area [this] "The area of the shape.")
  (perimeter [this] "The length of its boundary.")
  (scale [this factor] "The same shape, larger."))

(defrecord Circle [radius]
  Shape
  (area [_] (* Math/PI radius radius))
  (perimeter [_] (* 2 Math/PI radius))
  (scale [this factor] (update this :radius * factor)))

(defrecord Rectangle [width height]
  Shape
  (area [_] (* width height))
  (perimeter [_] (* 2 (+ width height)))
  (scale [_ factor] (->Rectangle (* width factor) (* height factor))))

(defrecord Triangle [a b c]
  Shape
  (area [_]
    (let [s (/ (+ a b c) 2)]
      (Math/sqrt (* s (- s a) (- s b) (- s c)))))
  (perimeter [_] (+ a b c))
  (scale [this k] (-> this (update :a * k) (update :b * k) (update :c * k))))

(def shapes [(->Circle 1.5) (->Rectangle 3 4) (->Triangle 3 4 5) (map->Rectangle {:width 1 :height 10})])

(defn describe [shape]
  (format "%s area=%.2f perimeter=%.2f"
          (.getSimpleName (class shape)) (double (area shape)) (double (perimeter shape))))

(doseq [s (sort-by area shapes)]
  (println (describe s)))

(let [total (reduce + (map area shapes))]
  (printf "total area %.3f\n" (double total)))

[(scale (->Rectangle 3 4) 2)
 (every? #(satisfies? Shape %) shapes)
 (:radius (scale (first shapes) 2))
 (mapv (comp #(Math/round %) double perimeter) shapes)]
