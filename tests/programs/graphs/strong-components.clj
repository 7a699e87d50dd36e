;; Tarjan's strongly connected components with volatile state, and the condensation in topological order.
(def graph
  {:a [:b], :b [:c :e], :c [:d :f], :d [:c :h], :e [:a :f], :f [:g], :g [:f], :h [:d :g]})

(defn tarjan [g]
  (let [index   (volatile! 0)
        indexes (volatile! {})
        lows    (volatile! {})
        stack   (volatile! [])
        on      (volatile! #{})
        out     (volatile! [])]
    (letfn [(connect [v]
              (let [i @index]
                (vswap! index inc)
                (vswap! indexes assoc v i)
                (vswap! lows assoc v i)
                (vswap! stack conj v)
                (vswap! on conj v)
                (doseq [w (g v)]
                  (cond
                    (not (contains? @indexes w))
                    (do (connect w)
                        (vswap! lows update v min (@lows w)))
                    (@on w)
                    (vswap! lows update v min (@indexes w))))
                (when (= (@lows v) (@indexes v))
                  (loop [component []]
                    (let [w (peek @stack)]
                      (vswap! stack pop)
                      (vswap! on disj w)
                      (if (= w v)
                        (vswap! out conj (sort (conj component w)))
                        (recur (conj component w))))))))]
      (doseq [v (sort (keys g))]
        (when-not (contains? @indexes v) (connect v)))
      @out)))

(defn condensation [g components]
  (let [home (into {} (for [[i c] (map-indexed vector components), v c] [v i]))]
    (->> (for [[v ws] g, w ws
               :let [a (home v) b (home w)]
               :when (not= a b)]
           [a b])
         distinct
         (group-by first)
         (reduce-kv (fn [m k es] (assoc m k (sort (map second es)))) (sorted-map)))))

(let [components (tarjan graph)
      dag (condensation graph components)]
  (doseq [[i c] (map-indexed vector components)]
    (println i c))
  {:count   (count components)
   :largest (apply max-key count components)
   :dag     dag
   :sinks   (remove (set (keys dag)) (range (count components)))
   :topological? (every? (fn [[a bs]] (every? #(< % a) bs)) dag)})
