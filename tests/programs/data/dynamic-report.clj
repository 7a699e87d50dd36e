; A report written through dynamic settings: indentation, currency and verbosity bound around calls.
(require '[clojure.string :as str])

(def ^:dynamic *indent* 0)
(def ^:dynamic *currency* "EUR")
(def ^:dynamic *verbose* false)

(defn emit [& parts]
  (println (str (apply str (repeat (* 2 *indent*) " ")) (str/join " " parts))))

(defmacro indented [& body]
  `(binding [*indent* (inc *indent*)]
     ~@body))

(defn money [cents]
  (format "%,.2f %s" (/ cents 100.0) *currency*))

(defn line [{:keys [label cents note children]}]
  (emit (str label ":") (money cents))
  (when (and *verbose* note)
    (indented (emit "note:" note)))
  (indented
   (run! line children)))

(def budget
  {:label "Household" :cents 325000 :note "monthly"
   :children [{:label "Rent" :cents 120000}
              {:label "Food" :cents 62050
               :children [{:label "Market" :cents 40000 :note "weekly"}
                          {:label "Eating out" :cents 22050}]}]})

(line budget)
(binding [*currency* "USD" *verbose* true]
  (line (last (:children budget))))

(defn current [] [*indent* *currency*])

{:outside (current)
 :inside  (binding [*indent* 3] (current))
 :nested  (binding [*indent* 1] (indented (indented (current))))
 :text    (with-out-str (binding [*indent* 2] (emit "deep")))
 :after   (try (binding [*currency* "X"] (throw (Exception. "boom")))
               (catch Exception _ *currency*))}
