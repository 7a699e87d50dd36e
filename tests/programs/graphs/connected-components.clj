; Connected components and bridges of a social network, with union-find.
(def people (range 1 11))
(def friendships [[1 2] [2 3] [3 1] [4 5] [6 7] [7 8] [8 9] [9 6] [3 4]])

(defn make-sets [xs]
  {:parent (zipmap xs xs) :rank (zipmap xs (repeat 0))})

(defn find-root [{:keys [parent]} x]
  (loop [x x]
    (let [p (parent x)]
      (if (= p x) x (recur p)))))

(defn union [{:keys [rank] :as uf} a b]
  (let [ra (find-root uf a)
        rb (find-root uf b)]
    (cond
      (= ra rb)               uf
      (< (rank ra) (rank rb)) (assoc-in uf [:parent ra] rb)
      (> (rank ra) (rank rb)) (assoc-in uf [:parent rb] ra)
      :else                   (-> uf
                                  (assoc-in [:parent rb] ra)
                                  (update-in [:rank ra] inc)))))

(defn components [nodes edges]
  (let [uf (reduce (fn [uf [a b]] (union uf a b)) (make-sets nodes) edges)]
    (->> nodes
         (group-by (partial find-root uf))
         vals
         (map (comp vec sort))
         (sort-by (juxt (comp - count) first)))))

(defn bridge? [nodes edges edge]
  (< (count (components nodes edges))
     (count (components nodes (remove #{edge} edges)))))

(defn degree-map [edges]
  (->> edges flatten frequencies (into (sorted-map))))

(let [groups (components people friendships)]
  (doseq [g groups]
    (println (count g) "people:" (apply str (interpose " " g))))
  {:groups  groups
   :bridges (filterv (partial bridge? people friendships) friendships)
   :alone   (first (last groups))
   :degrees (degree-map friendships)
   :hub     (->> (degree-map friendships) (sort-by (juxt (comp - val) key)) ffirst)
   :linked? (let [uf (reduce #(apply union %1 %2) (make-sets people) friendships)]
              (map (fn [[a b]] (= (find-root uf a) (find-root uf b))) [[1 5] [1 6] [10 10]]))})
