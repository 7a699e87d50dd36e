; Maximum flow by augmenting paths, with the minimum cut that proves it.
(def capacity
  {:s {:a 10 :c 10}
   :a {:b 4 :c 2 :d 8}
   :b {:t 10}
   :c {:d 9}
   :d {:b 6 :t 10}
   :t {}})

(defn find-path [residual source sink]
  (loop [queue [[source]] seen #{source}]
    (when-let [[path & more] (seq queue)]
      (let [node (peek path)]
        (if (= node sink)
          path
          (let [nexts (for [[n c] (sort (residual node))
                            :when (and (pos? c) (not (seen n)))]
                        n)]
            (recur (concat more (map (partial conj path) nexts))
                   (into seen nexts))))))))

(defn push-flow [residual path amount]
  (reduce (fn [r [u v]]
            (-> r
                (update-in [u v] - amount)
                (update-in [v u] (fnil + 0) amount)))
          residual
          (partition 2 1 path)))

(defn max-flow [capacity source sink]
  (loop [residual capacity, total 0, paths []]
    (if-let [path (find-path residual source sink)]
      (let [amount (->> (partition 2 1 path)
                        (map (fn [edge] (get-in residual edge)))
                        (apply min))]
        (recur (push-flow residual path amount)
               (+ total amount)
               (conj paths [amount path])))
      {:flow total :residual residual :paths paths})))

(defn reachable [residual source]
  (loop [stack (list source) seen (sorted-set)]
    (if-let [n (first stack)]
      (if (seen n)
        (recur (rest stack) seen)
        (recur (into (rest stack) (for [[m c] (residual n) :when (pos? c)] m))
               (conj seen n)))
      seen)))

(let [{:keys [flow residual paths]} (max-flow capacity :s :t)
      side (reachable residual :s)
      cut  (for [[u vs] (sort capacity) :when (side u)
                 [v c] (sort vs) :when (not (side v))]
             [u v c])]
  (doseq [[amount path] paths]
    (println amount (clojure.string/join " > " (map name path))))
  {:flow flow
   :side side
   :cut cut
   :cut-capacity (reduce + (map last cut))
   :equal? (= flow (transduce (map last) + cut))})
