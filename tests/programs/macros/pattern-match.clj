;; Match data against patterns with a macro that expands to tests and bindings.
(defn pattern->tests
  "Returns [tests bindings] for pattern p on the expression x."
  [p x]
  (cond
    (= p '_) [[] []]
    (symbol? p) [[] [p x]]
    (vector? p) (let [parts (map-indexed (fn [i q] (pattern->tests q `(nth ~x ~i))) p)]
                  [(into [`(vector? ~x) `(= ~(count p) (count ~x))] (mapcat first parts))
                   (vec (mapcat second parts))])
    (map? p) (let [parts (map (fn [[k q]] (pattern->tests q `(get ~x ~k))) p)]
               [(into [`(map? ~x)]
                      (concat (for [k (keys p)] `(contains? ~x ~k))
                              (mapcat first parts)))
                (vec (mapcat second parts))])
    :else [[`(= ~p ~x)] []]))

(defmacro match [expr & clauses]
  (let [x (gensym "x")]
    `(let [~x ~expr]
       (cond
         ~@(mapcat (fn [[p body]]
                     (if (= p :else)
                       [:else body]
                       (let [[tests bindings] (pattern->tests p x)]
                         [`(and ~@tests) `(let ~bindings ~body)])))
                   (partition 2 clauses))))))

(defn area [shape]
  (match shape
    [:circle r] (* 3 r r)
    [:rect w w2] (* w w2)
    {:type :square :side s} (* s s)
    [:many [a b]] (+ (area a) (area b))
    nil :nothing
    :else :unknown))

(def shapes
  [[:circle 2] [:rect 2 5] {:type :square :side 3} {:type :hexagon :side 1}
   [:many [[:circle 1] {:type :square :side 1}]] nil [:circle]])

(doseq [s shapes]
  (println (pr-str s) "->" (area s)))

(defn simplify [e]
  (match e
    [:+ 0 x] (simplify x)
    [:+ x 0] (simplify x)
    [:* 0 _] 0
    [:* 1 x] (simplify x)
    [op a b] (let [[a' b'] (map simplify [a b])]
               (if (= [a b] [a' b']) [op a b] (simplify [op a' b'])))
    other other))

{:areas (mapv area shapes)
 :simple (map simplify [[:+ 0 :x] [:* [:+ 0 1] [:+ :y 0]] [:+ [:* 0 :z] [:* 2 :w]]])}
