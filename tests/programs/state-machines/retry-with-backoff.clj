; Call flaky services with retries, growing waits, a circuit breaker and clean-up in finally.
(defn flaky
  "A service that fails at given calls (counted from 1)."
  [fail-on]
  (let [calls (atom 0)]
    (fn [x]
      (let [n (swap! calls inc)]
        (if (contains? fail-on n)
          (throw (ex-info (str "call " n " failed") {:call n :retry? (not= n 9)}))
          (* 10 x))))))

(defn backoff [base factor limit]
  (->> base (iterate (partial * factor)) (map (partial min limit))))

(defn with-retry
  [{:keys [attempts delays on-wait] :or {attempts 3 delays (backoff 100 2 1000) on-wait (fn [_])}} f & args]
  (loop [n 1, [d & ds] delays]
    (let [[status value] (try
                           [:ok (apply f args)]
                           (catch clojure.lang.ExceptionInfo e
                             (if (and (< n attempts) (:retry? (ex-data e) true))
                               [:retry e]
                               (throw (ex-info "gave up" {:attempts n} e)))))]
      (case status
        :ok    value
        :retry (do (on-wait d) (recur (inc n) ds))))))

(defn circuit-breaker [f threshold]
  (let [failures (atom 0)]
    (fn [& args]
      (if (>= @failures threshold)
        ::open
        (try
          (let [r (apply f args)]
            (reset! failures 0)
            r)
          (catch Exception e
            (swap! failures inc)
            [:failed (.getMessage e)]))))))

(def waits (atom []))
(def log (atom []))

(defn with-resource [name f]
  (swap! log conj [:open name])
  (try
    (f)
    (catch IllegalArgumentException e
      (swap! log conj [:caught (.getMessage e)])
      :recovered)
    (finally
      (swap! log conj [:close name]))))

(println "first" (with-retry {:on-wait #(swap! waits conj %)} (flaky #{1 2}) 7))
(println "waits" @waits)

(let [guarded (circuit-breaker (flaky #{1 2 3}) 2)]
  {:breaker  (mapv guarded [1 2 3 4])
   :gave-up  (try (with-retry {:attempts 2} (flaky #{1 2}) 1)
                  (catch Exception e [(ex-message e) (ex-data e) (ex-message (ex-cause e))]))
   :delays   (take 6 (backoff 50 3 1000))
   :resource [(with-resource :a (fn [] 1))
              (with-resource :b #(throw (IllegalArgumentException. "bad")))
              (try (with-resource :c #(throw (RuntimeException. "worse"))) (catch RuntimeException e (ex-message e)))]
   :log      @log
   :nested   (try (try (/ 1 0) (finally (println "inner finally")))
                  (catch ArithmeticException e (.getMessage e)))
   :class    (try (throw (UnsupportedOperationException. "nope")) (catch Throwable t (.getName (class t))))})
