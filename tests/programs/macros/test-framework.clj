;; Write a tiny test framework with macros: deftest, is, thrown and a report.
(def tests (atom []))
(def ^:dynamic *results* nil)

(defn record! [r]
  (swap! *results* conj r))

(defmacro is
  ([form] `(is ~form nil))
  ([form msg]
   (if (and (seq? form) (= '= (first form)) (= 3 (count form)))
     (let [[_ expected actual] form]
       `(let [e# ~expected a# ~actual]
          (record! {:pass (= e# a#) :form '~form :expected e# :actual a# :msg ~msg})))
     `(let [v# (try ~form (catch Exception ex# ex#))]
        (record! {:pass (and (boolean v#) (not (instance? Exception v#)))
                  :form '~form
                  :actual (if (instance? Exception v#) (.getMessage v#) v#)
                  :msg ~msg})))))

(defmacro throws? [& body]
  `(try ~@body false (catch Exception _# true)))

(defmacro deftest [name & body]
  `(do
     (defn ~name [] ~@body)
     (swap! tests conj ['~name ~name])
     '~name))

(deftest arithmetic
  (is (= 4 (+ 2 2)))
  (is (= 5 (* 2 2)) "four is not five")
  (is (odd? 3)))

(deftest strings
  (is (= "ABC" (clojure.string/upper-case "abc")))
  (is (throws? (Integer/parseInt "x")))
  (is (re-find #"z" "abc") "no z"))

(deftest broken
  (is (.length nil))
  (is (throw (ex-info "boom" {}))))

(defn run-tests []
  (for [[n f] @tests]
    (binding [*results* (atom [])]
      (f)
      (let [rs @*results*]
        {:name n
         :passed (count (filter :pass rs))
         :failed (mapv #(select-keys % [:form :expected :actual :msg]) (remove :pass rs))}))))

(def report (doall (run-tests)))

(doseq [{:keys [name passed failed]} report]
  (println name passed "passed" (count failed) "failed")
  (doseq [{:keys [form msg]} failed]
    (println "  FAIL" form (or msg ""))))

[(map (juxt :name :passed (comp count :failed)) report)
 (first (:failed (first report)))]
