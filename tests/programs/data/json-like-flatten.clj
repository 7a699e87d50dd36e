; Flatten nested data into rows of dotted keys and build it up again.
(ns flat.core
  (:require [clojure.string :as str]
            [clojure.walk :refer [postwalk prewalk stringify-keys]]))

(def document
  {:user {:name "Ada" :tags ["math" "code"] :address {:city "London" :geo [51.5 -0.12]}}
   :active true
   :logins nil})

(defn flatten-doc
  ([doc] (into (sorted-map) (flatten-doc [] doc)))
  ([path x]
   (cond
     (map? x)        (mapcat (fn [[k v]] (flatten-doc (conj path (name k)) v)) x)
     (sequential? x) (mapcat (fn [i v] (flatten-doc (conj path (str i)) v)) (range) x)
     :else           [[(str/join "." path) x]])))

(defn parse-key [k]
  (if (re-matches #"\d+" k) (Integer/parseInt k) (keyword k)))

(defn maps->vectors [x]
  (if (and (map? x) (seq x) (every? integer? (keys x)))
    (mapv x (range (count x)))
    x))

(defn unflatten-doc [flat]
  (->> flat
       (reduce-kv (fn [m k v] (assoc-in m (map parse-key (str/split k #"\.")) v)) {})
       (postwalk maps->vectors)))

(let [flat (flatten-doc document)]
  (doseq [[k v] flat]
    (println k "=>" (pr-str v)))
  [(= document (unflatten-doc flat))
   (unflatten-doc {"a.0.b" 1, "a.1.b" 2, "c" [3]})
   (stringify-keys {:a {:b 1}})
   (prewalk #(if (number? %) (* 10 %) %) [1 [2 {:x 3}]])
   (get-in document [:user :address :geo 1])
   (get-in document [:user :phone] :none)])
