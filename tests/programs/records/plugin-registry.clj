;; Register commands in an atom with metadata and run them from text lines.
(require '[clojure.string :as str])

(defonce registry (atom {}))

(defprotocol Command
  (exec [cmd args state] "Returns the new state."))

(defrecord FnCommand [f doc arity]
  Command
  (exec [_ args state]
    (if (= arity (count args))
      (apply f state args)
      (assoc state :error (str "expects " arity " argument(s), got " (count args))))))

(defn register!
  ([k f] (register! k f {}))
  ([k f {:keys [doc arity] :or {doc "no help" arity 0}}]
   (swap! registry assoc k (->FnCommand f doc arity))
   k))

(register! :set (fn [s k v] (assoc-in s [:vars (keyword k)] (parse-long v)))
           {:doc "set a variable" :arity 2})
(register! :add (fn [s k n] (update-in s [:vars (keyword k)] + (parse-long n)))
           {:doc "add to a variable" :arity 2})
(register! :swap (fn [s a b]
                   (let [[a b] (map keyword [a b])
                         {:keys [vars]} s]
                     (assoc s :vars (assoc vars a (b vars) b (a vars)))))
           {:arity 2})
(register! :help (fn [s] (update s :out into (for [[k {:keys [doc]}] (sort-by key @registry)]
                                               (str (name k) ": " doc)))))

(defn run-line [state line]
  (let [[cmd & args] (str/split (str/trim line) #"\s+")]
    (if-let [c (get @registry (keyword cmd))]
      (exec c args (dissoc state :error))
      (assoc state :error (str "unknown command " cmd)))))

(def script "set x 10
set y 32
add x 5
add x
swap x y
frob 1
help")

(let [states (reductions run-line {:vars {} :out []} (str/split-lines script))
      end (last states)]
  (run! println (:out end))
  {:vars (:vars end)
   :errors (keep :error states)
   :commands (sort (keys @registry))
   :doc (get-in @registry [:set :doc])
   :type (= FnCommand (type (:add @registry)))})
