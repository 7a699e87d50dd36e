;; Validators put together from functions: keys, collections, alternatives, with the path of each problem.
(defn p-req [pred msg] (fn [path v] (if (pred v) [] [{:path path :msg msg :val v}])))
(defn p-and [& ps] (fn [path v] (into [] (mapcat #(% path v)) ps)))
(defn p-or [& ps] (fn [path v] (let [rs (map #(% path v) ps)] (if (some empty? rs) [] (first (sort-by count rs))))))
(defn p-keys [m & {:keys [open opt] :or {open true opt #{}}}] (fn [path v] (if-not (map? v) [{:path path :msg "not a map" :val v}] (concat (for [[k p] m :when (or (contains? v k) (not (opt k))) e (if (contains? v k) (p (conj path k) (get v k)) [{:path (conj path k) :msg "missing"}])] e) (when-not open (for [k (keys v) :when (not (contains? m k))] {:path (conj path k) :msg "unknown"}))))))
(defn p-coll [p & {:keys [min max]}] (fn [path v] (cond (not (sequential? v)) [{:path path :msg "not sequential" :val v}] (and min (< (count v) min)) [{:path path :msg (str "fewer than " min)}] :else (apply concat (map-indexed #(p (conj path %1) %2) v)))))
(def person (p-keys {:name (p-and (p-req string? "string") (p-req #(and (string? %) (seq %)) "non-empty")) :age (p-req #(and (int? %) (<= 0 % 150)) "age") :tags (p-coll (p-or (p-req keyword? "kw") (p-req string? "str")) :min 1) :addr (p-keys {:zip (p-req #(re-matches #"\d{5}" (str %)) "zip")})} :open false :opt #{:tags}))
(doseq [v [{:name "A" :age 3 :tags [:a "b"] :addr {:zip "12345"}} {:name "" :age -1 :tags [] :addr {:zip 123}} {:name nil :tags [1 :a 2.5] :extra 1 :addr 5} [] nil]] (run! prn (or (seq (person [] v)) [:ok])) (println "--"))
