;; Edit a nested menu with zippers: remove, insert, path and depth.
(require '[clojure.zip :as zip] '[clojure.walk :as walk] '[clojure.string :as str])

(def menu [:menu [:item "home"] [:group "shop" [:item "books"] [:item "old"]] [:item "about"]])

(defn menu-zip [root]
  (zip/zipper #(and (vector? %) (some vector? %))
              (fn [[t & xs]] (seq (filter vector? xs)))
              (fn [[t & xs] kids] (into (vec (cons t (remove vector? xs))) kids))
              root))

(defn locs [z] (take-while (complement zip/end?) (iterate zip/next z)))

(defn depth [loc] (count (zip/path loc)))

(doseq [l (locs (menu-zip menu))
        :let [[t label] (zip/node l)]]
  (println (str (str/join (repeat (depth l) "  ")) (name t) (when (string? label) (str ": " label)))))

(defn edit-all [z pred f]
  (loop [l z]
    (cond (zip/end? l) (zip/root l)
          (pred (zip/node l)) (recur (zip/next (f l)))
          :else (recur (zip/next l)))))

(def cleaned (edit-all (menu-zip menu) #(= [:item "old"] %) zip/remove))
(def upper (edit-all (menu-zip menu) #(and (= :item (first %)) (not (vector? (second %)))) #(zip/edit % update 1 str/upper-case)))
(def added (-> (menu-zip menu) zip/down zip/right (zip/insert-left [:item "new"]) (zip/append-child [:item "toys"]) zip/up zip/root))

(let [vz (zip/vector-zip [1 [2 [3 4]] 5])]
  (array-map
 :cleaned cleaned :upper upper :added added
   :rightmost (-> vz zip/down zip/rightmost zip/node)
   :lefts (-> vz zip/down zip/rightmost zip/lefts)
   :leaves (->> (locs vz) (map zip/node) (remove coll?))
   :doubled (loop [l vz] (if (zip/end? l) (zip/root l) (recur (zip/next (if (int? (zip/node l)) (zip/edit l * 2) l)))))
   :seq-zip (-> (zip/seq-zip '(a (b c) d)) zip/down zip/next zip/down zip/right zip/node)
   :xml (-> (zip/xml-zip {:tag :a :content [{:tag :b :content ["x"]}]}) zip/down zip/down zip/node)
   :replace (-> vz zip/down zip/right zip/down (zip/replace :two) zip/root)
   :walked (walk/postwalk #(if (number? %) (- %) %) [1 {:a [2 3]} #{4}])
   :prewalk (walk/prewalk-replace {:a :b :b :c} [:a [:b {:a 1}]])))
