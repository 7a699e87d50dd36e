;; Protocols over records, built-in classes, nil and reify; metadata and satisfies?.
(defprotocol Renderable
  "Things that render."
  (render [this] [this opts] "Renders.")
  (width [this]))

(defrecord Box [inner pad]
  Renderable
  (render [this] (render this {}))
  (render [this {:keys [ch] :or {ch \space}}]
    (str "[" (apply str (repeat pad ch)) (render inner) (apply str (repeat pad ch)) "]"))
  (width [this] (+ 2 (* 2 pad) (width inner))))

(extend-protocol Renderable
  nil
  (render ([_] "-") ([_ _] "-"))
  (width [_] 1)
  String
  (render ([s] s) ([s _] (.toUpperCase s)))
  (width [s] (count s))
  Number
  (render ([n] (format "%.1f" (double n))) ([n _] (str n)))
  (width [n] (count (render n)))
  clojure.lang.IPersistentVector
  (render ([v] (apply str (interpose "," (map render v)))) ([v o] (render v)))
  (width [v] (count (render v))))

(extend-type clojure.lang.Keyword
  Renderable
  (render ([k] (name k)) ([k o] (str k)))
  (width [k] (count (name k))))

(def star (reify Renderable
            (render [_] "*") (render [_ _] "**")
            (width [_] 1)
            Object (toString [_] "a star")))

(deftype Pair [a b]
  Renderable
  (render [_] (str (render a) "|" (render b)))
  (render [this _] (render this))
  (width [this] (count (render this)))
  Object
  (toString [this] (render this)))

(extend Long Renderable {:render (fn ([n] (str "#" n)) ([n o] (str "##" n))) :width (fn [n] 9)})

(println (str star) (render star {}))
(println (str (->Pair 1 2)))

{:all (map render [nil "a" 1.25 7 3/2 [1 nil "x"] :kw star (->Pair :l nil)])
 :box (render (->Box (->Box "hi" 1) 2) {:ch \.})
 :w (map width [nil "abc" 2.5 5 (->Box "hi" 1) (->Pair "aa" "b")])
 :sat (map #(satisfies? Renderable %) [nil 1 \c {} [] star])
 :inst (instance? user.Pair (->Pair 1 2))
 :err (try (render \c) (catch IllegalArgumentException e (.getMessage e)))
 :ext (extends? Renderable String)}
