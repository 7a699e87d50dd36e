; Order build targets by their dependencies, in stages, and report a cycle with its path.
(require '[clojure.set :as set]
         '[clojure.string :as str])

(def targets
  {:app    #{:core :ui :db}
   :ui     #{:core :assets}
   :db     #{:core :driver}
   :core   #{:util}
   :assets #{}
   :driver #{}
   :util   #{}})

(defn stages [deps]
  (loop [deps deps, out []]
    (if (empty? deps)
      out
      (let [ready (sort (for [[t ds] deps :when (empty? ds)] t))]
        (if (empty? ready)
          (throw (ex-info "cycle" {:left (sort (keys deps))}))
          (recur (->> (apply dissoc deps ready)
                      (map (fn [[t ds]] [t (set/difference ds (set ready))]))
                      (into {}))
                 (conj out (vec ready))))))))

(defn find-cycle [deps]
  (letfn [(visit [path node]
            (if-let [i (some (fn [[i n]] (when (= n node) i)) (map-indexed vector path))]
              (conj (subvec path i) node)
              (some #(visit (conj path node) %) (sort (deps node)))))]
    (some #(visit [] %) (sort (keys deps)))))

(defn dfs-order [deps]
  (let [seen (atom #{}) order (atom [])]
    (letfn [(visit! [n]
              (when-not (@seen n)
                (swap! seen conj n)
                (doseq [d (sort (deps n))] (visit! d))
                (swap! order conj n)))]
      (run! visit! (sort (keys deps))))
    @order))

(defn valid-order? [deps order]
  (let [position (zipmap order (range))]
    (every? (fn [[t ds]] (every? #(< (position %) (position t)) ds)) deps)))

(doseq [[i stage] (map-indexed vector (stages targets))]
  (println (str "stage " (inc i) ": " (str/join ", " (map name stage)))))

(let [broken (update targets :util conj :app)]
  {:order  (dfs-order targets)
   :valid  [(valid-order? targets (dfs-order targets)) (valid-order? targets (apply concat (stages targets))) (valid-order? targets (reverse (dfs-order targets)))]
   :cycle  (find-cycle broken)
   :none   (find-cycle targets)
   :error  (try (stages broken) (catch Exception e (:left (ex-data e))))})
