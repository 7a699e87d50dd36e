;; Transfers between refs with validators, an audit agent and rollback on exceptions.
(defrecord Account [id ^long balance])
(def accounts (into {} (map (fn [[id b]] [id (ref (->Account id b) :validator #(>= (:balance %) 0))])) {:a 100 :b 50 :c 0}))
(def audit (agent {:n 0 :entries []}))
(defn log! [& xs] (send audit (fn [s] (-> s (update :n inc) (update :entries conj (vec xs))))))
(defn transfer! [from to amt]
  (try
    (dosync
     (alter (accounts to) update :balance + amt)
     (alter (accounts from) update :balance - amt)
     (log! :ok from to amt)
     true)
    (catch IllegalStateException e
      (log! :fail from to amt)
      (.getMessage e))))
(def rs (doall (for [[f t n] [[:a :b 70] [:a :c 31] [:b :c 120] [:c :a 1]]] (transfer! f t n))))
(await audit)
(println rs)
(doseq [e (:entries @audit)] (println e))
(def total (delay (reduce + (map (comp :balance deref val) accounts))))
(defn settle! []
  (dosync
   (let [avg (quot @total (count accounts))]
     (doseq [[_ r] accounts] (alter r assoc :balance avg))
     (when (not= @total (* avg (count accounts)))
       (throw (ex-info "not divisible" {:avg avg}))))))
{:total @total
 :settle (try (settle!) (catch Exception e (ex-data e)))
 :after (into (sorted-map) (update-vals accounts (comp :balance deref)))
 :watch (let [seen (atom []) r (accounts :a)]
          (add-watch r :w (fn [_ _ {a :balance} {b :balance}] (swap! seen conj [a b])))
          (dosync (alter r update :balance inc) (alter r update :balance inc))
          (remove-watch r :w) @seen)
 :commute (let [r (ref #{})] (dosync (commute r conj 1) (commute r conj 2)) (sort @r))
 :n (:n @audit)
 :err (let [ag (agent 1)] (send ag / 0) (await-for 100 (agent 0)) (try (some? (agent-error ag)) (catch Exception e :x)))}
