;; Convert amounts between currencies through a table of rates with cross rates.
(require '[clojure.string :as str])

(def rates
  {[:usd :eur] 92/100
   [:eur :gbp] 855/1000
   [:usd :jpy] 150
   [:gbp :chf] 112/100})

(def all-rates
  (reduce-kv (fn [m [a b] r]
               (assoc m [a b] r [b a] (/ 1 r)))
             {} rates))

(defn neighbours [c]
  (for [[[a b] r] all-rates :when (= a c)] [b r]))

(defn find-rate
  "Breadth-first search for a chain of rates."
  [from to]
  (loop [queue (conj clojure.lang.PersistentQueue/EMPTY [from 1 [from]])
         seen #{from}]
    (when-let [[c rate path] (peek queue)]
      (if (= c to)
        {:rate rate :path path}
        (let [nxt (for [[n r] (sort-by first (neighbours c))
                        :when (not (seen n))]
                    [n (* rate r) (conj path n)])]
          (recur (into (pop queue) nxt)
                 (into seen (map first) nxt)))))))

(defn convert [amount from to]
  (if-let [{:keys [rate path]} (find-rate from to)]
    {:amount (* amount rate)
     :via (str/join ">" (map (comp str/upper-case name) path))}
    (throw (ex-info "no rate" {:from from :to to}))))

(def orders [[100 :usd :chf] [5000 :jpy :eur] [10 :gbp :gbp] [1 :usd :xxx]])

(doseq [[amount from to] orders]
  (println
   (try
     (let [{:keys [amount via]} (convert amount from to)]
       (format "%.4f (%s)" (double amount) via))
     (catch Exception e
       (str (.getMessage e) " " (ex-data e))))))

[(:amount (convert 100 :usd :chf))
 (:amount (convert 5000 :jpy :eur))
 (find-rate :chf :jpy)]
