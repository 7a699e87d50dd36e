; A binary search tree as nested maps: insert, delete, walks, balance checks and ranges.
(defn insert
  ([tree k] (insert tree k true))
  ([{:keys [key] :as tree} k v]
   (cond
     (nil? tree) {:key k :value v :left nil :right nil}
     (< k key)   (update tree :left insert k v)
     (> k key)   (update tree :right insert k v)
     :else       (assoc tree :value v))))

(defn in-order [{:keys [left key right] :as tree}]
  (when tree
    (concat (in-order left) [key] (in-order right))))

(defn pre-order [tree]
  (if-not tree [] (-> [(:key tree)] (into (pre-order (:left tree))) (into (pre-order (:right tree))))))

(defn level-order [tree]
  (->> [tree]
       (iterate #(remove nil? (mapcat (juxt :left :right) %)))
       (take-while seq)
       (map #(map :key %))))

(defn height [tree]
  (if tree (inc (max (height (:left tree)) (height (:right tree)))) 0))

(defn smallest [{:keys [left] :as tree}] (if left (recur left) tree))

(defn delete [{:keys [key left right] :as tree} k]
  (cond
    (nil? tree)  nil
    (< k key)    (assoc tree :left (delete left k))
    (> k key)    (assoc tree :right (delete right k))
    (nil? left)  right
    (nil? right) left
    :else        (let [{k' :key v' :value} (smallest right)]
                   (assoc tree :key k' :value v' :right (delete right k')))))

(defn lookup [tree k]
  (loop [t tree, depth 0]
    (when t
      (case (compare k (:key t))
        0 {:depth depth :value (:value t)}
        -1 (recur (:left t) (inc depth))
        1 (recur (:right t) (inc depth))))))

(defn in-range [{:keys [left key right] :as tree} lo hi]
  (if tree
    (lazy-cat (when (> key lo) (in-range left lo hi))
              (when (<= lo key hi) (list key))
              (when (< key hi) (in-range right lo hi)))
    ()))

(defn balanced [[& sorted]]
  (when sorted
    (let [v (vec sorted) m (quot (count v) 2)]
      {:key (v m) :left (balanced (subvec v 0 m)) :right (balanced (subvec v (inc m)))})))

(def tree (reduce insert nil [50 30 70 20 40 60 80 35 45]))

(doseq [[depth ks] (map-indexed vector (level-order tree))]
  (println depth (vec ks)))

{:in-order  (in-order tree)
 :pre-order (pre-order tree)
 :height    [(height tree) (height (reduce insert nil (range 8))) (height (balanced (range 8)))]
 :deleted   (pre-order (reduce delete tree [30 50 80]))
 :lookup    [(lookup (insert tree 65 :new) 65) (lookup tree 1)]
 :range     (in-range tree 35 60)
 :sorted?   (apply < (in-order tree))}
