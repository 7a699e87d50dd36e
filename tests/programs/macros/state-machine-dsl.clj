;; Compile a description of a state machine into a function with case.
(defmacro defmachine
  "(defmachine name start (state event => next ...) ...)"
  [name start & states]
  (let [state-sym (gensym "state")
        event-sym (gensym "event")
        table (into {}
                    (for [[state & transitions] states]
                      [state (into {}
                                   (for [[event _ next-state] (partition 3 transitions)]
                                     [event next-state]))]))]
    `(do
       (def ~(symbol (str name "-states")) '~(vec (map first states)))
       (defn ~name
         ([] ~start)
         ([~state-sym ~event-sym]
          (case ~state-sym
            ~@(mapcat (fn [[state transitions]]
                        [state `(case ~event-sym
                                  ~@(mapcat identity transitions)
                                  nil)])
                      table)
            (throw (ex-info "No such state" {:state ~state-sym}))))))))

(defmachine turnstile :locked
  (:locked :coin => :unlocked
           :push => :locked)
  (:unlocked :coin => :unlocked
             :push => :locked)
  (:broken :fix => :locked))

(defn run-machine [m events]
  (reductions (fn [s e]
                (or (m s e)
                    (reduced {:stuck-at s :on e})))
              (m)
              events))

(println turnstile-states)
(println (run-machine turnstile [:coin :push :push :coin]))
(println (run-machine turnstile [:coin :kick :push]))

{:last (last (run-machine turnstile (take 7 (cycle [:coin :push]))))
 :table (into {} (for [s turnstile-states]
                   [s (mapv #(turnstile s %) [:coin :push :fix])]))
 :error (try (turnstile :melted :coin)
             (catch clojure.lang.ExceptionInfo e (:state (ex-data e))))}
