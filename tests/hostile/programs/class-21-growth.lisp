;; ends in limit
(let [f (memoize (fn [n] (str "a value made for " n)))] (loop [i 0] (f i) (recur (inc i))))
;; ends in limit
(loop [i 0 v []] (recur (inc i) (conj v (keyword (str "key" i)))))
;; ends in limit
(loop [i 0 v []] (recur (inc i) (conj v (symbol (str "sym" i)))))
;; ends in limit
(loop [i 0 v []] (recur (inc i) (conj v (atom i))))
;; ends in limit
(loop [i 0 v []] (recur (inc i) (conj v (fn [] i))))
;; ends in limit
(loop [i 0 v []] (recur (inc i) (conj v (map inc (range)))))
;; ends in limit
(loop [i 0 v []] (recur (inc i) (conj v {:i i})))
;; ends in limit
(loop [i 0 v []] (recur (inc i) (conj v #{i})))
;; ends in limit
(loop [i 0 v []] (recur (inc i) (conj v [i])))
;; ends in limit
(loop [i 0 v []] (recur (inc i) (conj v (str i))))
;; ends in limit
(loop [i 0 v []] (recur (inc i) (conj v (+ 100000000000000000000N i))))
;; ends in limit
(loop [i 0 v []] (recur (inc i) (conj v (/ (inc i) 1000003))))
;; ends in limit
(loop [i 0 v []] (recur (inc i) (conj v (ex-info "e" {}))))
;; ends in limit
(loop [i 0 v []] (recur (inc i) (conj v (random-uuid))))
;; ends in limit
(loop [i 0 v []] (recur (inc i) (conj v (partial + i))))
;; ends in limit
(loop [i 0 v []] (recur (inc i) (conj v (delay i))))
;; ends in limit
(loop [i 0 v []] (recur (inc i) (conj v (volatile! i))))
;; ends in limit
(loop [i 0 v []] (recur (inc i) (conj v (with-meta [] {:i i}))))
;; ends in limit
(loop [i 0 v []] (recur (inc i) (conj v (lazy-seq [i]))))
;; ends in limit
(loop [i 0 v (vec (range 1000)) h []] (recur (inc i) (assoc v 5 i) (conj h v)))
;; ends in limit
(loop [i 0 m (zipmap (range 1000) (range)) h []] (recur (inc i) (assoc m 5 i) (conj h m)))
;; ends in limit
(loop [i 0 m {:a 1 :b 2} h []] (recur (inc i) (assoc m (keyword (str "k" (mod i 5))) i) (conj h m)))
;; ends in limit
(loop [i 0 l nil] (recur (inc i) (cons i l)))
;; ends in limit
(loop [i 0 m {}] (recur (inc i) (assoc m (str i) i)))
;; ends in limit
(loop [i 0 m (sorted-map)] (recur (inc i) (assoc m i i)))
;; ends in limit
(loop [i 0 v []] (recur (inc i) (conj v (re-pattern (str "a" i)))))
;; ends in limit/memory
(loop [i 0 v []] (recur (inc i) (conj v (with-meta [] {:i i}))))
;; ends in limit/memory
(loop [i 0 v []] (recur (inc i) (conj v (map vector (range) (range) (iterate inc i) (repeat i)))))
;; ends in limit/memory
(loop [i 0 v []] (recur (inc i) (conj v (sorted-map i i))))
;; ends in limit/memory
(loop [i 0 v []] (recur (inc i) (conj v (volatile! (delay i)))))
;; ends in limit/memory
(let [f (with-meta (let [a 1 b 2] (fn [] [a b])) nil)] (loop [i 0 v []] (recur (inc i) (conj v (with-meta f {:i i})))))
