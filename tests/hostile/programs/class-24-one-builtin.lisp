;; ends in limit/fuel
(reduce max (range 1000000000000))
;; ends in limit/fuel
(let [t (apply str (repeat 1000000 "a"))] (loop [] (str/includes? t "b") (recur)))
;; ends in limit/fuel
(let [t (apply str (repeat 100000 "a")) n (str (apply str (repeat 50000 "a")) "b")] (loop [] (str/includes? t n) (recur)))
;; ends in limit/fuel
(let [v (vec (range 200000))] (loop [] (reverse v) (recur)))
;; ends in limit/fuel
(let [v (vec (range 200000))] (loop [] (= v (vec (range 200000))) (recur)))
;; ends in limit/fuel
(let [v (vec (range 200000))] (loop [] (hash v) (recur)))
;; ends in limit/fuel
(let [s (set (range 100000))] (loop [] (set/union s #{:a}) (set/intersection s s) (recur)))
;; ends in limit/fuel
(let [m (zipmap (range 100000) (range))] (loop [] (keys m) (vals m) (recur)))
;; ends in limit/fuel
(let [v (vec (range 200000))] (loop [] (conj v 1) (recur)))
;; ends in limit/fuel
(let [v (vec (range 200000))] (loop [] (subvec v 1) (pop v) (recur)))
;; ends in limit/fuel
(let [t (apply str (repeat 1000000 "a"))] (loop [] (subs t 1) (recur)))
;; ends in limit/fuel
(let [t (apply str (repeat 500000 "é"))] (loop [] (count t) (nth t 400000) (recur)))
;; ends in limit/fuel
(let [t (apply str (repeat 1000000 "a"))] (loop [] (str/upper-case t) (str/reverse t) (recur)))
;; ends in limit/fuel
(let [v (vec (range 100000))] (loop [] (shuffle v) (sort v) (recur)))
;; ends in limit/fuel
(let [m (zipmap (range 50000) (range))] (loop [] (merge m m) (recur)))
;; ends in limit/fuel
(let [v (mapv str (range 50000))] (loop [] (frequencies v) (group-by count v) (recur)))
;; ends in limit/fuel
(let [v (vec (range 100000))] (loop [] (json/generate-string v) (pr-str v) (recur)))
;; ends in limit/fuel
(let [t (json/generate-string (vec (range 100000)))] (loop [] (json/parse-string t) (recur)))
;; ends in limit
(let [t (pr-str (vec (range 50000)))] (loop [] (edn/read-string t) (recur)))
;; ends in limit/fuel
(let [v (vec (range 100000))] (loop [] (apply + v) (apply vector v) (recur)))
;; ends in name or value
(Thread/sleep 100000)
;; ends in limit/fuel
(let [k (keyword (apply str (repeat 500000 "a")))] (loop [] (name k) (str k) (recur)))
;; ends in limit/fuel
(let [m (zipmap (range 32) (map str (range)))] (loop [] (m :no-such-key) (get m "x") (:y m) (recur)))
;; ends in limit/fuel
(loop [] (try (+ nil 1) (catch Exception e nil)) (recur))
