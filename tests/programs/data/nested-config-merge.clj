; Merge configurations deeply with later ones winning, and list what was changed by path.
(require '[clojure.walk :as walk]
         '[clojure.data :as data]
         '[clojure.string :as str])

(defn deep-merge
  "Recursively merges maps. Vectors are concatenated, anything else is replaced."
  ([] {})
  ([a] a)
  ([a b]
   (cond
     (and (map? a) (map? b))       (merge-with deep-merge a b)
     (and (vector? a) (vector? b)) (into a b)
     :else                         b))
  ([a b & more] (reduce deep-merge (deep-merge a b) more)))

(defn paths
  ([m] (paths [] m))
  ([prefix m]
   (if (and (map? m) (seq m))
     (mapcat (fn [[k v]] (paths (conj prefix k) v)) m)
     [[prefix m]])))

(def defaults
  {:server {:host "localhost" :port 8080 :tls {:enabled false}}
   :logging {:level :info :appenders [:console]}
   "features" {"beta" false}})

(def production
  {:server {:host "example.org" :tls {:enabled true :cert "/etc/cert.pem"}}
   :logging {:level :warn :appenders [:file]}})

(def overrides
  (walk/keywordize-keys {"server" {"port" 9090}}))

(let [config (walk/keywordize-keys (deep-merge defaults production overrides))
      [removed added same] (data/diff (walk/keywordize-keys defaults) config)]
  (doseq [[path value] (sort-by (comp str first) (paths config))]
    (println (str/join "." (map name path)) "=" (pr-str value)))
  (println "changed from:" (sort-by str (paths removed)))
  (println "changed to:  " (sort-by str (paths added)))
  (println "same:        " (sort-by str (paths same)))
  (walk/postwalk #(if (keyword? %) (name %) %) (get-in config [:server :tls])))
