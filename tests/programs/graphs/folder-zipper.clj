;; Walk and prune a folder tree with a zipper: sizes, renames, removal, and the way to a node.
(require '[clojure.zip :as z]
         '[clojure.string :as str])

(def tree
  {:name "/" :kids [{:name "src" :kids [{:name "core.clj" :size 120} {:name "old.clj.bak" :size 300}]}
                    {:name "docs" :kids []}
                    {:name "README" :size 42}
                    {:name "target" :kids [{:name "a.class" :size 900}]}]})

(defn folder-zip [root]
  (z/zipper :kids (comp seq :kids) (fn [node kids] (assoc node :kids (vec kids))) root))

(defn locs [root]
  (->> (folder-zip root)
       (iterate z/next)
       (take-while (complement z/end?))))

(defn full-path [loc]
  (str/join "/" (map :name (concat (z/path loc) [(z/node loc)]))))

(defn edit-where [root pred f]
  (loop [loc (folder-zip root)]
    (if (z/end? loc)
      (z/root loc)
      (recur (z/next (if (pred (z/node loc)) (f loc) loc))))))

(defn total [{:keys [size kids]}]
  (+ (or size 0) (transduce (map total) + kids)))

(let [cleaned (-> tree
                  (edit-where #(str/ends-with? (:name %) ".bak") z/remove)
                  (edit-where #(= "target" (:name %)) z/remove)
                  (edit-where #(= "README" (:name %)) (fn [loc] (z/edit loc update :name str ".md"))))
      readme (first (filter #(= "README.md" (:name (z/node %))) (locs cleaned)))]
  (doseq [loc (locs cleaned)]
    (println (str (str/join (repeat (count (z/path loc)) "  ")) (:name (z/node loc)))))
  {:before   (total tree)
   :after    (total cleaned)
   :paths    (map full-path (remove z/branch? (locs cleaned)))
   :left     (:name (z/node (z/left readme)))
   :rights   (z/rights readme)
   :up       (:name (z/node (z/up readme)))
   :inserted (->> (-> readme (z/insert-left {:name "LICENSE" :size 1}) z/root) :kids (mapv :name))
   :appended (->> (-> (folder-zip cleaned) z/down z/right (z/append-child {:name "index"}) z/root) :kids second)})
