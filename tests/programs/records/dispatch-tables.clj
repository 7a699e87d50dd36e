;; Process a stream of typed messages through a table of handlers with defaults and middleware.
(require '[clojure.string :as str])

(def handlers
  {:greet (fn [{:keys [name] :or {name "stranger"}}] {:say (str "Hello, " name "!")})
   :sum (fn [{:keys [numbers]}] {:value (apply + numbers)})
   :divide (fn [{:keys [a b]}] {:value (/ a b)})
   [:admin :reset] (fn [_] {:say "reset"})})

(defn wrap-errors [handler]
  (fn [msg]
    (try
      (handler msg)
      (catch ArithmeticException e {:error (.getMessage e) :kind :math})
      (catch ClassCastException _ {:error "wrong type" :kind :type})
      (catch Exception e {:error (ex-message e) :kind :other :data (ex-data e)}))))

(defn wrap-log [handler log]
  (fn [{:keys [type] :as msg}]
    (let [res (handler msg)]
      (swap! log conj (str type (if (:error res) " failed" " ok")))
      res)))

(defn wrap-defaults [handler defaults]
  (comp handler (partial merge defaults)))

(defn dispatch [{:keys [type] :as msg}]
  (if-let [h (or (handlers type) (handlers [(:role msg) type]))]
    (h msg)
    (throw (ex-info (str "no handler for " type) {:known (count handlers)}))))

(def log (atom []))

(def app
  (-> dispatch
      wrap-errors
      (wrap-log log)
      (wrap-defaults {:role :guest})))

(def messages
  [{:type :greet :name "Zoe"}
   {:type :greet}
   {:type :sum :numbers [1 2 3]}
   {:type :sum :numbers [1 "2"]}
   {:type :divide :a 6 :b 4}
   {:type :divide :a 1 :b 0}
   {:type :reset}
   {:type :reset :role :admin}])

(doseq [m messages]
  (let [{:keys [say value error kind]} (app m)]
    (println (format "%-8s %s" (name (:type m))
                     (cond say say
                           value (str "= " value)
                           :else (str kind " " error))))))

{:log @log
 :failed (count (filter #(str/ends-with? % "failed") @log))
 :kinds (->> messages (map (comp :kind app)) (remove nil?) distinct)
 :composed ((apply comp (repeat 3 #(* 2 %))) 5)
 :partial (map (partial apply max) [[1 5 2] [7]])
 :juxt ((juxt :type (comp count keys)) (second messages))}
