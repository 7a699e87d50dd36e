;; Records: equality, printing, nested updates, toString, and print of all kinds of values.
(require '[clojure.string :as str] '[clojure.pprint :as pp])
(defrecord Point [x y] Object (toString [_] (str "<" x "," y ">")))
(defrecord Line [from to label])
(def l (->Line (->Point 0 0) (->Point 3 4) "diag"))
(println (->Point 1 2) (str (->Point 1 2)) [(->Point 1 2)])
(prn l)
(println (str (:from l)))
(pr (->Point 1 nil) '(1 "a" \b :c/d e/f nil true 1.0 1N 1M 1/2 ##Inf ##NaN #"re\d" #{1} [] {} ()))
(newline)
(println "x" \y :z nil [nil "q" \c] {:a "b"} '(quote x) ''y)
(prn 'a/b :a/b "tab\tquote\"nl\nback\\" \newline \space \tab \u00e9 "é")
(print-str 1 "a") (println (pr-str "a" :b) (print-str "a" [\b]))
(pp/pprint {:name "a fairly long string value" :items (vec (range 30)) :nested {:k1 (range 10) :k2 #{:only} :k3 "another long string here"}})
(pp/pprint [{:id 1 :text "short"} {:id 2 :text "short"}])
(pp/print-table [{:a 1 :b "x"} {:a 22 :b nil}])
(array-map
 :eq [(= (->Point 1 2) (->Point 1 2)) (= (->Point 1 2) {:x 1 :y 2}) (= {:x 1 :y 2} (->Point 1 2)) (.equals (->Point 1 2) (->Point 1 2))]
 :kv [(keys l) (count l) (get l :label) (:none l :dflt) (.-label l) (.label l)]
 :upd (-> l (assoc-in [:to :x] 9) (update :label str/upper-case) (assoc :extra 1))
 :dis [(dissoc (->Point 1 2) :x) (record? (dissoc (assoc (->Point 1 2) :z 3) :z)) (map? l) (coll? l)]
 :dest (let [{:keys [x y] :or {y 7}} (->Point 5 nil)] [x y])
 :set (count (hash-set (->Point 1 2) (->Point 1 2) {:x 1 :y 2}))
 :into (into {} (->Point 1 2)) :lit #user.Point{:x 5 :y 6})
