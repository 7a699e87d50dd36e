;; Validate nested data with small validators that are composed through a protocol.
(require '[clojure.string :as str])

(defprotocol Validator
  (errors [v path x] "A seq of [path message] pairs."))

(defrecord Pred [f msg]
  Validator
  (errors [_ path x]
    (when-not (f x)
      [[path (str msg ", got " (pr-str x))]])))

(defrecord All [vs]
  Validator
  (errors [_ path x]
    (first (keep #(seq (errors % path x)) vs))))

(defrecord Keys [spec]
  Validator
  (errors [_ path m]
    (if (map? m)
      (mapcat (fn [[k v]] (errors v (conj path k) (get m k))) spec)
      [[path "must be a map"]])))

(defrecord Each [v]
  Validator
  (errors [_ path xs]
    (->> xs
         (map-indexed (fn [i x] (errors v (conj path i) x)))
         (apply concat))))

(extend-protocol Validator
  clojure.lang.Fn
  (errors [f path x] (when-not (f x) [[path "is invalid"]]))
  clojure.lang.IPersistentSet
  (errors [s path x] (when-not (contains? s x) [[path (str "must be one of " (str/join ", " (sort s)))]])))

(def non-blank (->All [(->Pred string? "must be text") (->Pred (complement str/blank?) "must not be blank")]))

(def person
  (->Keys (array-map :name non-blank
                     :age (->Pred #(and (int? %) (<= 0 % 150)) "must be an age")
                     :role #{"admin" "guest"}
                     :emails (->Each (->Pred #(re-matches #".+@.+\..+" (str %)) "must be an address"))
                     :active boolean?)))

(def candidates
  [{:name "Ann" :age 30 :role "admin" :emails ["a@b.org"] :active true}
   {:name " " :age 200 :role "root" :emails ["x" "y@z.com" nil]}
   "nobody"])

(defn report [x]
  (into [] (map (fn [[path msg]]
                  (str (if (empty? path) "value" (str/join "." (map #(if (keyword? %) (name %) %) path))) " " msg)))
        (errors person [] x)))

(doseq [c candidates]
  (println (if-let [es (seq (report c))] (str/join "; " es) "ok")))

(map (comp count report) candidates)
