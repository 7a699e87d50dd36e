;; Walk a tree of files and folders made of records and report sizes and the largest paths.
(require '[clojure.string :as str])

(defrecord File [name size])
(defrecord Dir [name children])

(defprotocol Node
  (total [n])
  (lines [n depth])
  (walk [n prefix] "All [path size] pairs of files."))

(extend-type File
  Node
  (total [{:keys [size]}] size)
  (lines [{:keys [name size]} depth]
    [(str (str/join (repeat depth "| ")) name " " size)])
  (walk [{:keys [name size]} prefix]
    (list [(str prefix name) size])))

(extend-type Dir
  Node
  (total [{:keys [children]}] (transduce (map total) + children))
  (lines [{:keys [name children] :as d} depth]
    (into [(str (str/join (repeat depth "| ")) name "/ " (total d))]
          (mapcat #(lines % (inc depth)))
          (sort-by :name children)))
  (walk [{:keys [name children]} prefix]
    (mapcat #(walk % (str prefix name "/")) children)))

(defn build [[head & children :as form]]
  (if (vector? form)
    (if (number? (first children))
      (->File head (first children))
      (->Dir head (mapv build children)))
    (throw (IllegalArgumentException. (str "not a node: " form)))))

(def root
  (build ["src"
          ["main" ["app.clj" 1200] ["util.clj" 300] ["empty"]]
          ["test" ["app_test.clj" 900]]
          ["README" 50]]))

(println (str/join "\n" (lines root 0)))

{:total (total root)
 :largest (->> (walk root "/") (sort-by (comp - second)) (take 2))
 :by-ext (->> (walk root "")
              (map (fn [[p s]] [(or (second (re-find #"\.(\w+)$" p)) "none") s]))
              (reduce (fn [m [e s]] (update m e (fnil + 0) s)) (sorted-map)))
 :dirs (->> (tree-seq #(instance? Dir %) :children root)
            (filter #(instance? Dir %))
            (map (juxt :name (comp count :children))))}
