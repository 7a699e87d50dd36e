;; Keep a binary search tree of maps with insertion, removal and zipper navigation.
(require '[clojure.zip :as zip])

(defn insert [{:keys [key left right] :as node} k]
  (cond
    (nil? node) {:key k}
    (< k key) (assoc node :left (insert left k))
    (> k key) (assoc node :right (insert right k))
    :else node))

(defn in-order [{:keys [key left right] :as node}]
  (when node
    (lazy-cat (in-order left) [key] (in-order right))))

(defn height [node]
  (if node
    (inc (max (height (:left node)) (height (:right node))))
    0))

(defn find-min [node]
  (->> node (iterate :left) (take-while some?) last :key))

(defn delete [{:keys [key left right] :as node} k]
  (cond
    (nil? node) nil
    (< k key) (assoc node :left (delete left k))
    (> k key) (assoc node :right (delete right k))
    (nil? left) right
    (nil? right) left
    :else (let [m (find-min right)]
            (assoc node :key m :right (delete right m)))))

(defn from-sorted [v]
  (when (seq v)
    (let [mid (quot (count v) 2)]
      {:key (v mid)
       :left (from-sorted (subvec v 0 mid))
       :right (from-sorted (subvec v (inc mid)))})))

(defn levels [tree]
  (->> [tree]
       (iterate #(mapcat (fn [n] (filter some? [(:left n) (:right n)])) %))
       (take-while seq)
       (map #(map :key %))))

(def tree (reduce insert nil [50 30 70 20 40 60 80 30]))

(run! println (levels tree))

(def nested '(1 (2 (3 4)) 5))

{:sorted (in-order tree)
 :without (in-order (reduce delete tree [50 20 99]))
 :root (:key (delete tree 50))
 :heights [(height tree) (height (reduce insert nil (range 6))) (height (from-sorted (vec (range 31))))]
 :zipped (loop [loc (zip/seq-zip nested)]
           (if (zip/end? loc)
             (zip/root loc)
             (recur (zip/next (if (number? (zip/node loc))
                                (zip/edit loc * 10)
                                loc)))))
 :path (-> (zip/vector-zip [1 [2 [3 4]] 5]) zip/down zip/right zip/down zip/right zip/path)
 :replaced (-> (zip/vector-zip [1 [2 3]]) zip/down (zip/replace :x) zip/right zip/down zip/remove zip/root)}
