;; Value a portfolio from a list of trades, with average cost and realised gains.
(def trades
  [[:buy  "ACME" 10 100.00M]
   [:buy  "GLOB" 5  80.00M]
   [:buy  "ACME" 10 120.00M]
   [:sell "ACME" 5  130.00M]
   [:sell "GLOB" 5  75.50M]
   [:buy  "INIT" 3  33.33M]
   [:sell "INIT" 4  40.00M]])

(def prices {"ACME" 125.00M "GLOB" 70.00M "INIT" 35.10M})

(defmulti apply-trade (fn [_ [side]] side))

(defmethod apply-trade :buy
  [positions [_ sym qty price]]
  (update positions sym
          (fn [{:keys [qty* cost] :or {qty* 0 cost 0M} :as pos}]
            (assoc pos :qty* (+ qty* qty) :cost (+ cost (* qty price))))))

(defmethod apply-trade :sell
  [positions [_ sym qty price :as trade]]
  (let [{held :qty* cost :cost :as pos} (positions sym)]
    (if (or (nil? pos) (< held qty))
      (update positions :rejected (fnil conj []) trade)
      (let [avg (with-precision 10 (/ cost held))
            gain (* qty (- price avg))]
        (-> positions
            (update-in [sym :qty*] - qty)
            (update-in [sym :cost] - (* qty avg))
            (update-in [sym :realised] (fnil + 0M) gain))))))

(def positions (reduce apply-trade {} trades))

(def report
  (for [[sym {:keys [qty* cost realised] :or {realised 0M}}] (sort-by key (dissoc positions :rejected))
        :let [value (* qty* (prices sym))]]
    {:symbol sym
     :qty qty*
     :value value
     :unrealised (- value cost)
     :realised realised}))

(doseq [r report]
  (println (:symbol r) (:qty r) (str (:value r)) (str (:unrealised r))))

{:total (reduce + (map :value report))
 :gains (reduce + (map (some-fn :realised (constantly 0M)) report))
 :rejected (:rejected positions)
 :equal-value? (== 1500M 1500.00M)
 :equal? (= 1500M 1500.00M)}
