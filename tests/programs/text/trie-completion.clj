; Complete prefixes with a trie of nested maps, weighted by how often words were seen.
(defn trie-add [trie word]
  (update-in trie (concat word [:count]) (fnil inc 0)))

(defn build [words] (reduce trie-add {} words))

(defn subtrie [trie prefix] (get-in trie prefix))

(defn words-in
  ([trie] (words-in trie ""))
  ([trie prefix]
   (lazy-seq
     (mapcat (fn [[k v]]
               (if (= k :count)
                 [[prefix v]]
                 (words-in v (str prefix k))))
             (sort-by (comp str key) trie)))))

(defn complete [trie prefix n]
  (->> (words-in (subtrie trie prefix) prefix)
       (sort-by (juxt (comp - second) first))
       (take n)
       (map first)))

(defn wildcard [trie [c & more :as pattern]]
  (cond
    (empty? pattern) (if (:count trie) [""] [])
    (= c \?) (for [[k v] (sort-by (comp str key) (dissoc trie :count))
                   w (wildcard v more)]
               (str k w))
    :else (map #(str c %) (some-> (get trie c) (wildcard more)))))

(def corpus
  (re-seq #"[a-z]+" "the cat and the cart can carry the car to the castle; a cat can catch a cart"))

(let [trie (build corpus)]
  (println (complete trie "ca" 4))
  (println (complete trie "t" 2))
  {:wild      (wildcard trie "ca?")
   :wild4     (wildcard trie "c?r?")
   :nodes     (count (filter map? (tree-seq map? vals trie)))
   :has-cart  (boolean (:count (subtrie trie "cart")))
   :has-carr  (boolean (:count (subtrie trie "carr")))
   :most      (apply max-key second (words-in trie))
   :missing   (complete trie "zzz" 3)})
