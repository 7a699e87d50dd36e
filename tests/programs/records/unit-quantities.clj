; Quantities with units: records, arithmetic by multimethods on pairs of units, and comparison.
(defrecord Quantity [amount unit])

(def to-base
  {:m 1 :km 1000 :cm 1/100
   :s 1 :min 60 :h 3600})

(def dimension
  {:m :length :km :length :cm :length :s :time :min :time :h :time})

(defn base [{:keys [amount unit]}] (* amount (to-base unit)))

(defn convert [{:keys [unit] :as q} target]
  (if (= (dimension unit) (dimension target))
    (->Quantity (/ (base q) (to-base target)) target)
    (throw (IllegalArgumentException. (str "cannot convert " (name unit) " to " (name target))))))

(defmulti combine (fn [op a b] [op (dimension (:unit a)) (dimension (:unit b))]))

(defmethod combine [:+ :length :length] [_ a b] (update a :amount + (:amount (convert b (:unit a)))))
(defmethod combine [:+ :time :time] [_ a b] (update a :amount + (:amount (convert b (:unit a)))))
(defmethod combine [:/ :length :time] [_ a b] (/ (base a) (base b)))
(defmethod combine :default [op a b]
  (throw (ex-info "no such operation" {:op op :units [(:unit a) (:unit b)]})))

(defn parse-quantity [s]
  (let [[_ n u] (re-find #"([\d.]+)\s*(\w+)" s)]
    (->Quantity (if (re-find #"\." n) (bigdec n) (parse-long n)) (keyword u))))

(def trip (map parse-quantity ["3 km" "250 m" "1.5 km" "90 min"]))

(let [lengths (filter #(= :length (dimension (:unit %))) trip)
      total (reduce (partial combine :+) lengths)]
  (println "total" (:amount total) (name (:unit total)))
  (println (map (juxt :amount :unit) (sort-by base lengths)))
  {:total  total
   :cm     (:amount (convert (->Quantity 3 :m) :cm))
   :ratio  (:amount (convert (->Quantity 50 :min) :h))
   :speed  (combine :/ (->Quantity 36 :km) (->Quantity 1 :h))
   :error  (try (convert (->Quantity 1 :m) :s) (catch IllegalArgumentException e (.getMessage e)))
   :denied (try (combine :+ (->Quantity 1 :m) (->Quantity 1 :s)) (catch clojure.lang.ExceptionInfo e (ex-data e)))
   :equal  [(= (->Quantity 1 :m) (->Quantity 1 :m)) (= (->Quantity 1 :m) {:amount 1 :unit :m})]
   :keys   (keys (first trip))})
