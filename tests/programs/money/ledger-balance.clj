;; Check a double-entry ledger in text form and print a balance tree of accounts.
(require '[clojure.string :as str]
         '[clojure.walk :as walk])

(def journal "
2024-01-01 Opening
  assets:bank      1000.00
  equity:opening  -1000.00

2024-01-05 Groceries
  expenses:food      42.10
  assets:bank       -42.10

2024-01-09 Broken
  expenses:fun       10.00
  assets:cash        -9.00

2024-01-10 Cash
  assets:cash        50.00
  assets:bank")

(defn parse-posting [line]
  (let [[account amount] (str/split (str/trim line) #"\s+")]
    {:account account :amount (some-> amount bigdec)}))

(defn parse-entry [text]
  (let [[head & postings] (str/split-lines (str/trim text))
        [_ date title] (re-find #"^(\S+)\s+(.*)$" head)]
    {:date date :title title :postings (mapv parse-posting postings)}))

(defn infer [{:keys [postings] :as entry}]
  (let [known (reduce + 0M (keep :amount postings))
        missing (filter (comp nil? :amount) postings)]
    (case (count missing)
      0 (cond-> entry (not (zero? known)) (assoc :error (str "off by " known)))
      1 (assoc entry :postings (mapv #(update % :amount (fnil identity (- known))) postings))
      (assoc entry :error "two amounts missing"))))

(def entries
  (->> (str/split (str/trim journal) #"\n\n")
       (map (comp infer parse-entry))))

(defn add-to-tree [tree {:keys [account amount]}]
  (update-in tree (conj (mapv keyword (str/split account #":")) :total) (fnil + 0M) amount))

(def tree
  (->> entries
       (remove :error)
       (mapcat :postings)
       (reduce add-to-tree {})))

(defn print-tree [node depth]
  (doseq [[k v] (sort-by key node)
          :when (map? v)]
    (println (str (apply str (repeat depth "  ")) (name k) (when-let [t (:total v)] (str " " t))))
    (print-tree v (inc depth))))

(print-tree tree 0)

(doseq [{:keys [title error]} entries :when error]
  (println "!" title "-" error))

(walk/postwalk (fn [x] (if (decimal? x) (.doubleValue x) x))
               (into (sorted-map) tree))
