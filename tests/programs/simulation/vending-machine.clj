;; Simulate a vending machine with stock, coins and change from a limited float.
(def machine
  {:stock {:cola {:price 120 :n 1} :chips {:price 75 :n 2}}
   :coins (sorted-map-by > 100 1, 50 2, 20 2, 10 1, 5 0)
   :inserted 0})

(defn change
  "Coins to give for `amount`, largest first, or nil when it cannot be given."
  [coins amount]
  (letfn [(go [[[c n] & more] left]
            (cond
              (zero? left) {}
              (nil? c) nil
              :else
              (some (fn [k]
                      (when-let [r (go more (- left (* k c)))]
                        (if (pos? k) (assoc r c k) r)))
                    (range (min n (quot left c)) -1 -1))))]
    (go (seq coins) amount)))

(defmulti handle (fn [_ [event & _]] event))

(defmethod handle :insert [m [_ coin]]
  (if (contains? (:coins m) coin)
    (-> m (update :inserted + coin) (update-in [:coins coin] inc) (assoc :says (str "credit " (+ coin (:inserted m)))))
    (assoc m :says "coin refused")))

(defmethod handle :select [{:keys [inserted stock coins] :as m} [_ item]]
  (let [{:keys [price n]} (stock item)
        back (when price (change coins (- inserted price)))]
    (cond
      (nil? price) (assoc m :says "no such item")
      (zero? n) (assoc m :says "sold out")
      (< inserted price) (assoc m :says (str "please add " (- price inserted)))
      (nil? back) (assoc m :says "exact change only")
      :else (-> m
                (update-in [:stock item :n] dec)
                (update :coins #(merge-with - % back))
                (assoc :inserted 0 :says (str "take " (name item) ", change " back))))))

(defmethod handle :cancel [{:keys [inserted coins] :as m} _]
  (let [back (change coins inserted)]
    (-> m
        (update :coins #(merge-with - % back))
        (assoc :inserted 0 :says (str "returned " back)))))

(def events
  [[:insert 100] [:select :cola] [:insert 50] [:select :cola]
   [:insert 3] [:insert 100] [:select :cola] [:select :tea] [:select :chips]
   [:insert 100] [:cancel]])

(def states (rest (reductions handle machine events)))

(doseq [[e s] (map list events states)]
  (println (pr-str e) "->" (:says s)))

(let [{:keys [stock coins inserted]} (last states)]
  {:stock (update-vals stock :n)
   :coins coins
   :inserted inserted
   :value (reduce-kv (fn [acc c n] (+ acc (* c n))) 0 coins)})
