;; Order tasks by their dependencies and report cycles.
(require '[clojure.set :as set])

(defn normalise [g]
  (let [targets (apply set/union (vals g))]
    (merge (zipmap targets (repeat #{})) g)))

(defn kahn
  "Returns {:order [...]} or {:cycle #{...}}."
  [deps]
  (loop [g (normalise deps) order []]
    (let [ready (sort (for [[k v] g :when (empty? v)] k))]
      (cond
        (empty? g) {:order order}
        (empty? ready) {:cycle (sort (keys g))}
        :else (recur (into {} (for [[k v] (apply dissoc g ready)]
                                [k (reduce disj v ready)]))
                     (into order ready))))))

(defn dfs-order [deps]
  (letfn [(visit [{:keys [seen path] :as state} n]
            (cond
              (path n) (throw (ex-info "cycle" {:at n}))
              (seen n) state
              :else (-> (reduce visit (update state :path conj n) (sort (deps n)))
                        (update :path disj n)
                        (update :seen conj n)
                        (update :order conj n))))]
    (:order (reduce visit {:seen #{} :path #{} :order []} (sort (keys deps))))))

(def build
  {:app #{:core :ui}
   :ui #{:core :theme}
   :core #{:util}
   :tests #{:app :util}})

(println (kahn build))
(println (dfs-order build))

(defn valid? [deps order]
  (let [pos (zipmap order (range))]
    (every? (fn [[k vs]] (every? #(< (pos %) (pos k)) vs)) deps)))

{:valid (map (partial valid? build) [(:order (kahn build)) (dfs-order build)])
 :cycle (kahn (assoc build :util #{:ui}))
 :dfs-cycle (try (dfs-order (assoc build :util #{:app}))
                 (catch clojure.lang.ExceptionInfo e (ex-data e)))
 :levels (->> (normalise build)
              keys
              (map (fn depth [k] (inc (reduce max -1 (map depth (build k))))))
              sort)}
