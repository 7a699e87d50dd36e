;; A double entry ledger with records, transducers, juxt grouping and validation.
(require '[clojure.string :as str] '[clojure.set :as set])
(import 'java.time.LocalDate)
(defrecord Entry [date account amount currency memo])
(defn parse-entry [line]
  (let [[_ d acc sign amt cur memo] (re-matches #"(\d{4}-\d\d-\d\d)\s+([\w:]+)\s+([-+]?)(\d+(?:\.\d+)?)\s*([A-Z]{3})(?:\s*;\s*(.*))?" line)]
    (when d (->Entry (LocalDate/parse d) (mapv keyword (str/split acc #":")) (cond-> (bigdec amt) (= "-" sign) -) (keyword cur) memo))))
(def journal
  "2024-01-02 assets:bank 1000.00 USD ; opening
2024-01-02 equity:open -1000.00 USD
# comment
2024-01-15 expenses:food 45.10 USD ; groceries
2024-01-15 assets:bank -45.10 USD
2024-02-01 assets:cash 80 EUR
2024-02-01 equity:open -80 EUR
2024-02-03 expenses:food 12.5 EUR
2024-02-03 assets:cash -12.50 EUR")
(def entries (into [] (comp (map str/trim) (remove #(str/starts-with? % "#")) (keep parse-entry)) (str/split-lines journal)))
(defn balances [es] (reduce (fn [m {:keys [account amount currency]}]
                              (reduce (fn [m p] (update-in m [p currency] (fnil + 0M) amount)) m (rest (reductions conj [] account))))
                            (sorted-map) es))
(defn unbalanced [es] (for [[[d c] xs] (sort-by (comp str first key) (group-by (juxt :date :currency) es)) :let [s (transduce (map :amount) + xs)] :when (not (zero? s))] [(str d) c s]))
(doseq [[path cs] (balances entries)]
  (println (format "%-20s %s" (str (str/join (repeat (dec (count path)) "  ")) (name (peek path)))
                   (str/join ", " (for [[c a] (sort cs)] (str (name c) " " (.toPlainString ^java.math.BigDecimal a)))))))
(def rates (atom {:USD 1M :EUR 1.08M}))
(defn worth [path] (reduce + (for [[c a] (get (balances entries) path)] (* a (get @rates c)))))
(array-map
 :n (count entries) :unbalanced (unbalanced entries)
 :bad (unbalanced (update entries 0 update :amount inc))
 :worth [(worth [:assets]) (do (swap! rates update :EUR * 2) (worth [:assets]))]
 :months (into (sorted-map) (map (fn [[m es]] [(str m) (count es)])) (group-by #(.getMonth ^LocalDate (:date %)) entries))
 :memos (keep :memo entries)
 :first (update (first entries) :date str) :accs (sort (set (map :account entries))))
