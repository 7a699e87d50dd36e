;; Trace the calls of functions with a macro that keeps a log of arguments and results.
(def ^:dynamic *depth* 0)
(def trace-log (atom []))

(defmacro deftraced
  "A defn that records every call."
  [name args & body]
  `(defn ~name ~args
     (swap! trace-log conj [*depth* '~name ~args])
     (let [result# (binding [*depth* (inc *depth*)] ~@body)]
       (swap! trace-log conj [*depth* '~name :=> result#])
       result#)))

(deftraced fact [n]
  (if (zero? n) 1 (* n (fact (dec n)))))

(deftraced add-up [a b]
  (+ (fact a) (fact b)))

(defmacro with-trace [& body]
  `(do (reset! trace-log [])
       (let [r# (do ~@body)]
         {:result r# :log @trace-log})))

(let [{:keys [result log]} (with-trace (add-up 2 1))]
  (doseq [[depth f & more] log]
    (println (str (apply str (repeat depth "  ")) f " " (clojure.string/join " " more))))
  {:result result
   :calls (frequencies (map second (remove #(= :=> (nth % 2)) log)))
   :deepest (apply max (map first log))
   :outside *depth*})
