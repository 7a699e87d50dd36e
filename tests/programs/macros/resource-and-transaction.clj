;; Write with-style macros: resources that are always closed and an atom that rolls back.
(def events (atom []))

(defn open [n]
  (swap! events conj [:open n])
  {:name n})

(defn close [{:keys [name]}]
  (swap! events conj [:close name]))

(defmacro with-resources
  "Like with-open for our own open and close."
  [bindings & body]
  (if (empty? bindings)
    `(do ~@body)
    (let [[sym init & more] bindings]
      `(let [~sym ~init]
         (try
           (with-resources ~(vec more) ~@body)
           (finally (close ~sym)))))))

(defmacro transaction
  "Runs body; when it throws, the atom gets its old value back."
  [a & body]
  `(let [before# (deref ~a)]
     (try
       {:ok (do ~@body)}
       (catch Exception e#
         (reset! ~a before#)
         {:rolled-back (ex-message e#)}))))

(defmacro retry [n & body]
  `(loop [left# ~n]
     (let [r# (try [(do ~@body)]
                   (catch clojure.lang.ExceptionInfo e#
                     (if (pos? left#) nil (throw e#))))]
       (if r# (first r#) (recur (dec left#))))))

(def stock (atom {:apples 5 :pears 2}))

(defn take! [k n]
  (let [left (- (get @stock k 0) n)]
    (when (neg? left)
      (throw (ex-info (str "not enough " (name k)) {:k k :missing (- left)})))
    (swap! stock assoc k left)
    n))

(def first-try (transaction stock (take! :apples 3) (take! :pears 3)))
(def second-try (transaction stock (+ (take! :apples 3) (take! :pears 2))))

(def used
  (try
    (with-resources [a (open "a")
                     b (open (str (:name a) "b"))]
      (swap! events conj [:use (:name b)])
      (throw (RuntimeException. "failed while used")))
    (catch RuntimeException e (.getMessage e))
    (finally (println "done"))))

(def attempts (atom 0))

(run! (partial apply println) @events)

{:first first-try
 :second second-try
 :stock @stock
 :used used
 :retried (retry 3 (if (< (swap! attempts inc) 3)
                     (throw (ex-info "flaky" {:n @attempts}))
                     [:worked @attempts]))
 :gave-up (try (retry 1 (throw (ex-info "always" {:left 0})))
               (catch Exception e (ex-data e)))}
