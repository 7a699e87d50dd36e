; Validate user records with predicates by field, collecting all problems with paths, as a table of rules.
(ns user.validation
  (:require [clojure.string :as str]
            [clojure.set :as set]))

(def ^:private email-re #"^[^@\s]+@[^@\s]+\.[a-z]{2,}$")

(def ^:const max-age 150)

(defn- between? [lo hi x] (and (number? x) (<= lo x hi)))

(def schema
  {:name   [[string? "must be a string"] [(complement str/blank?) "must not be blank"]]
   :age    [[integer? "must be an integer"] [(partial between? 0 max-age) "is out of range"]]
   :email  [[#(and (string? %) (re-matches email-re %)) "is not an address"]]
   :roles  [[coll? "must be a collection"]
            [#(set/subset? (set %) #{:admin :editor :viewer}) "has unknown roles"]]})

(def required #{:name :email})

(defn check-field [k v]
  (->> (schema k)
       (keep (fn [[pred message]]
               (when-not (try (pred v) (catch ClassCastException _ false))
                 message)))
       first))

(defn validate
  "All problems of a record as a sorted map from field to message; nil when there are none."
  [record]
  (let [missing  (for [k (set/difference required (set (keys record)))] [k "is required"])
        unknown  (for [k (keys record) :when (not (contains? schema k))] [k "is not a known field"])
        problems (for [[k v] record :let [m (check-field k v)] :when m] [k m])]
    (not-empty (into (sorted-map) (concat missing unknown problems)))))

(def records
  [{:name "Ann" :age 30 :email "ann@example.org" :roles [:admin]}
   {:name "  " :age 200 :email "nobody"}
   {:age "old" :roles #{:root} :shoe-size 44}
   {}])

(doseq [[i r] (map-indexed vector records)
        :let [problems (validate r)]]
  (if-not problems
    (println (str "record " i ": ok"))
    (doseq [[field message] problems]
      (println (str "record " i ": " (name field) " " message)))))

(let [{valid true invalid false} (group-by (comp nil? validate) records)]
  {:valid   (map :name valid)
   :invalid (count invalid)
   :worst   (apply max-key (comp count validate) records)
   :by-field (->> records (mapcat (comp keys validate)) frequencies (sort-by (juxt (comp - val) key)))
   :meta    (select-keys (meta #'max-age) [:const])})
