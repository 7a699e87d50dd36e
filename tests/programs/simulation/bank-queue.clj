;; Simulate customers who queue at several tellers and measure how long they wait.
(def customers
  (map-indexed (fn [i [arrive need]] {:id (inc i) :arrive arrive :need need})
               [[0 5] [1 3] [2 4] [2 1] [6 2] [6 6] [7 1] [15 2]]))

(defn free-teller
  "Index of the teller that is free first."
  [tellers]
  (first (apply min-key second (reverse (map-indexed vector tellers)))))

(defn serve [{:keys [tellers] :as state} {:keys [id arrive need]}]
  (let [i (free-teller tellers)
        start (max arrive (tellers i))
        end (+ start need)]
    (-> state
        (assoc-in [:tellers i] end)
        (update :served conj {:id id :teller i :wait (- start arrive) :end end}))))

(defn simulate [n customers]
  (reduce serve {:tellers (vec (repeat n 0)) :served []} customers))

(defn stats [{:keys [served]}]
  (let [waits (map :wait served)]
    {:max-wait (apply max waits)
     :mean-wait (/ (reduce + waits) (count waits))
     :last (apply max (map :end served))
     :per-teller (->> served (group-by :teller) (sort-by key) (mapv (comp count val)))}))

(doseq [n [1 2 3]
        :let [{:keys [max-wait mean-wait last]} (stats (simulate n customers))]]
  (println n "tellers: max" max-wait "mean" (format "%.2f" (double mean-wait)) "closed at" last))

(map (comp stats #(simulate % customers)) [1 2 3])
