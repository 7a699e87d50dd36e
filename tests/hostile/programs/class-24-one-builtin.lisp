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

;; ends in limit/fuel
(let [v (vec (range 20000))] (loop [] (case v [1 2] 1 [3] 2 3) (recur)))

;; ends in limit/fuel
(let [m {(vec (range 20000)) 1 :b 2}] (loop [] (get m [{{19999*1 }} 2]) (recur)))

;; ends in limit/fuel
(let [m {(vec (repeat 20000 1)) 1 :b 2}] (loop [] (let [{x [{{19999*1 }} 2]} m] x) (recur)))

;; ends in limit/fuel
(let [v (vec (repeat 20000 1))] (loop [] (#{[{{19999*1 }} 2] 3} v) (recur)))

;; ends in limit/fuel
(let [a (zipmap (range 20000) (range)) b (assoc a 19999 :other)] (loop [] #{a b} {a 1 b 2} (some #{a} [b]) (recur)))

;; ends in limit/fuel
(let [t (apply str (repeat 50000 "ab"))] (loop [] (second t) (take 2 t) (bounded-count 2 t) (recur)))

;; ends in limit/fuel
(let [m (zipmap (range 20000) (range)) s (set (range 20000))] (loop [] (take 2 m) (second s) (get-in m s) (recur)))

;; ends in limit/fuel
(let [t (apply str (repeat 50000 "ab"))] (loop [] (let [[a b & more] t] more) (nthnext t 1) (recur)))

;; ends in limit/fuel
(let [v (vec (range 50000)) s (set v) t (apply str (repeat 100000 "a"))]
  (loop [] (try (inc v) (catch Exception e e)) (try (v s) (catch Exception e e)) (try (t 1) (catch Exception e e)) (recur)))

;; ends in limit/fuel
(let [t (apply str (repeat 50000 "ab"))] (loop [] (str/index-of "hello" t) (str/replace "hello" t "b") (.contains "a" t) (recur)))

;; ends in limit/fuel
(let [a (keyword (apply str (repeat 50000 "ab"))) b (keyword (apply str (concat (repeat 50000 "ab") "c")))]
  (loop [] (compare a b) (hash a) (sort [b a]) (sorted-set a b) (recur)))

;; ends in limit/fuel
(let [t (apply str (repeat 50000 "é"))] (loop [] (get t 49999) (compare "é" t) (.equalsIgnoreCase t (str t "a")) (recur)))

;; ends in limit/fuel
(let [rows (mapv (fn [i] {:id i}) (range 20000)) f (fn [& {:as m}] m)] (loop [] (apply f rows) (recur)))

;; ends in limit/fuel
(let [a {(vec (range 20000)) 1} b {(conj (vec (range 19999)) 1) 2}] (loop [] (into a b) (merge a b) (recur)))

;; ends in limit/fuel
(let [strs (mapv str (range 20000))] (loop [] (String/join "," strs) (try (mapv inc strs) (catch Exception e nil)) (recur)))

;; ends in limit/fuel
(let [v (vec (range 1000)) m (into {} (map (fn [i] [(conj v i) i]) (range 32))) s (set (keys m))]
  (loop [] (assoc m :x 1) (conj s :x) (clojure.walk/postwalk identity m) (recur)))

;; ends in limit/fuel
(let [m (zipmap (range 20000) (range)) k (into {} (map (fn [i] [[:key i] i]) (range 20000)))]
  (loop [] (json/generate-string m) (json/generate-string k) (recur)))
;; ends in limit/fuel
(let [v (vec (range 1000)) m (into {} (map (fn [i] [(conj v i) i]) (range 40)))]
  (loop [] (reduce (fn [a e] a) 0 m) (update-vals m inc) (keys m) (let [{:keys [a]} (list :b 1 m)] a) (recur)))

