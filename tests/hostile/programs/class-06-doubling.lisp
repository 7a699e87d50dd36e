;; ends in limit/memory
(loop [s "x"] (recur (str s s)))
;; ends in limit/memory
(loop [v [1]] (recur (into v v)))
;; ends in limit/memory
(loop [l '(1)] (recur (doall (concat l l))))
;; ends in limit/memory
(loop [s "ab"] (recur (str/join s [s s])))
;; ends in limit/memory or limit/fuel
(loop [m {1 1}] (recur (merge m (update-keys m (fn [k] (+ k (count m)))))))
;; ends in limit/memory or limit/fuel
(loop [s #{1}] (recur (into s (map (fn [k] (+ k (count s))) s))))
;; ends in limit
(loop [s "x"] (recur (str/replace s "x" "xx")))
;; ends in limit
(loop [v [1]] (recur (vec (mapcat (fn [x] [x x]) v))))
;; ends in limit/memory
(let [a (atom "x")] (loop [] (swap! a (fn [s] (str s s))) (recur)))
;; ends in limit/memory
(loop [s "x"] (recur (pr-str s s)))
