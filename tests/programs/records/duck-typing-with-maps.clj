;; Make objects of maps with functions inside, with inheritance by merging and private state.
(defn make-account [owner & {:keys [balance] :or {balance 0}}]
  (let [state (atom {:balance balance :log []})]
    {:owner (constantly owner)
     :deposit (fn [n] (swap! state #(-> % (update :balance + n) (update :log conj [:in n]))) nil)
     :withdraw (fn [n]
                 (if (> n (:balance @state))
                   (throw (ex-info "insufficient" {:owner owner :need (- n (:balance @state))}))
                   (swap! state #(-> % (update :balance - n) (update :log conj [:out n]))))
                 nil)
     :balance #(:balance @state)
     :history #(:log @state)}))

(defn send-to
  "Calls a method of an object."
  [obj method & args]
  (if-let [f (get obj method)]
    (apply f args)
    (throw (IllegalArgumentException. (str "no method " method)))))

(defn make-savings [owner rate]
  (let [parent (make-account owner :balance 100)]
    (merge parent
           {:add-interest (fn [] (send-to parent :deposit (* rate (send-to parent :balance))))
            :withdraw (fn [n]
                        (when (> n 50) (throw (ex-info "limit is 50" {:asked n})))
                        (send-to parent :withdraw n))})))

(def a (make-account "Ann" :balance 10))
(def s (make-savings "Sam" 1/10))

(defn attempt [obj & call]
  (try
    (apply send-to obj call)
    (catch clojure.lang.ExceptionInfo e
      [(.getMessage e) (ex-data e)])
    (catch IllegalArgumentException e
      (.getMessage e))))

(send-to a :deposit 5)
(send-to s :add-interest)

(println (attempt a :withdraw 100))
(println (attempt s :withdraw 60))
(println (attempt s :withdraw 50))
(println (attempt a :explode))

(->> [a s]
     (map (fn [o] (zipmap [:owner :balance :history] ((juxt :owner :balance :history) (update-vals (dissoc o :deposit :withdraw :add-interest) (fn [f] (f)))))))
     (sort-by :balance >)
     vec)
