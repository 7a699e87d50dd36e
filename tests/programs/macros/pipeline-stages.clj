; A macro that defines pipelines of named stages, with timings left out and errors that name the stage.
(defmacro defpipeline [pipeline-name & stages]
  (let [pairs (partition 2 stages)]
    `(def ~pipeline-name
       (with-meta
         (fn [input#]
           (reduce (fn [acc# [stage# f#]]
                     (try
                       (f# acc#)
                       (catch Exception e#
                         (throw (ex-info (str "stage " (name stage#) " failed") {:stage stage# :input acc#} e#)))))
                   input#
                   [~@(for [[k f] pairs] `[~k ~f])]))
         {:stages [~@(map first pairs)]}))))

(defmacro when-valid [[sym expr] & body]
  `(let [~sym ~expr]
     (if (contains? ~sym :error)
       ~sym
       (do ~@body))))

(defmacro with-counter [[sym] & body]
  `(let [n# (volatile! 0)
         ~sym (fn [] (vswap! n# inc))]
     [(do ~@body) @n#]))

(defpipeline clean
  :trim   #(map clojure.string/trim %)
  :drop   #(remove clojure.string/blank? %)
  :parse  #(mapv (fn [s] (Long/parseLong s)) %)
  :total  #(reduce + %))

(defn validate [m] (if (pos? (:n m 0)) m (assoc m :error :not-positive)))

(defmacro infix [[a op b]] (list op a b))

(let [bad (try (clean [" 1" "x"])
               (catch clojure.lang.ExceptionInfo e
                 [(ex-message e) (:stage (ex-data e)) (class (ex-cause e))]))]
  (println (first bad))
  {:total   (clean [" 1" "" "22 " "3"])
   :stages  (:stages (meta clean))
   :bad     (rest bad)
   :valid   [(when-valid [m (validate {:n 1})] (update m :n inc)) (when-valid [m (validate {:n -1})] :never)]
   :counted (with-counter [tick] (dotimes [_ 4] (tick)) (tick))
   :infix   [(infix (3 - 1)) (macroexpand '(infix (3 * (infix (1 + 2)))))]
   :form    (macroexpand-1 '(when-valid [x (f)] (g x)))})
