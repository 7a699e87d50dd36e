;; Scopes that close what they opened: with-open over types of our own, dynamic settings and cleanup in order.
(def ^:dynamic *log* nil)
(def ^:dynamic *depth* 0)

(defn log! [& words]
  (swap! *log* conj (str (apply str (repeat *depth* "  ")) (apply str (interpose " " words)))))

(deftype Handle [id state]
  java.io.Closeable
  (close [_] (reset! state :closed) (log! "close" id)))

(defn open [id]
  (log! "open" id)
  (Handle. id (atom :open)))

(defmacro scope [title & body]
  `(do (log! "begin" ~title)
       (let [result# (binding [*depth* (inc *depth*)] (try ~@body (catch Exception e# [:failed (ex-message e#)])))]
         (log! "end" ~title)
         result#)))

(defmacro with-resources [bindings & body]
  (if (empty? bindings)
    `(do ~@body)
    (let [[n e & more] bindings]
      `(let [~n ~e]
         (try (with-resources [~@more] ~@body)
              (finally (.close ~n)))))))

(let [log (atom [])
      value (binding [*log* log]
              [(scope "fine"
                 (with-open [a (open :a) b (open :b)]
                   (log! "use" (.id a) (.id b))
                   :used))
               (scope "broken"
                 (with-resources [c (open :c) d (open :d)]
                   (scope "inner" (log! "deep" *depth*))
                   (throw (ex-info "boom" {}))))])
      leaked (binding [*log* log] (with-open [h (open :e)] h))]
  (run! println @log)
  {:value  value
   :state  @(.state leaked)
   :depth  *depth*
   :fn     (binding [*depth* 7] ((bound-fn [] *depth*)))
   :later  ((binding [*depth* 9] (bound-fn* (fn [] *depth*))))
   :names  (with-local-vars [n 0] (dotimes [_ 3] (var-set n (inc @n))) (var-get n))})
