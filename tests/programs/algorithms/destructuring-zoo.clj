;; Destructuring of all kinds in functions, loops and lets.
(defn f1 [[a [b & cs] :as all] {:keys [x y] :or {y 10} :as m} & {:keys [verbose] [p q] :pair :or {verbose :no}}]
  [a b cs all x y m verbose p q])

(def row {:user/name "Ann" :user/id 7 "city" "Rome" 'sym 1 :tags ["x" "y" "z"]})

(let [{:user/keys [name id] :strs [city] :syms [sym] [t1 & ts] :tags} row
      {n :user/name :keys [user/id missing] :or {missing (str "no-" city)}} row
      [[x1 y1] [x2 y2 :as p2]] [[1 2] [3 4 5]]
      [h & [s & r]] (range 5)
      {[first-a] :a {:keys [deep]} :b} {:a [9 8] :b {:deep :d}}
      [c1 c2 :as word] "hey"
      {zero 0 two 2} [:z :o :t]
      {:keys [k1 k2]} (list :k1 1 :k2 2)]
  (println name id city sym t1 ts n missing)
  (println x1 y1 p2 h s r first-a deep c1 c2 word zero two k1 k2))

(defn kw-tail [a & {:as opts}] [a opts])
(defn multi
  ([{:keys [a b]}] (multi a b))
  ([a b] (multi a b nil))
  ([a b & more] (vec (concat [a b] more))))

(loop [[x & xs] [1 2 3] {:keys [sum] :as acc} {:sum 0}]
  (if x
    (recur xs (assoc acc :sum (+ sum x) x true))
    (println acc)))

(doseq [[k {:keys [qty] :or {qty 0}}] (sorted-map :a {:qty 1} :b {})] (println k qty))

(array-map
 :f1 (f1 [1 [2 3 4]] {:x 5} :verbose true :pair [8 9])
 :f1-map (f1 [1 nil] nil {:pair [1]})
 :kw [(kw-tail 1 :x 2) (kw-tail 1 {:x 2}) (kw-tail 1 :x 2 {:y 3}) (kw-tail 1)]
 :multi [(multi {:a 1 :b 2}) (multi 1 2) (multi 1 2 3 4)]
 :for (for [[k [a b]] {:x [1 2] :y [3 4]} :let [{:keys [s]} {:s (+ a b)}] :when (odd? s)] [k s])
 :fn ((fn [{{[_ z] :pt} :shape}] z) {:shape {:pt [1 2]}})
 :reduce (reduce (fn [m [k v]] (update m v (fnil conj []) k)) {} {:a 1 :b 2 :c 1})
 :if-let (if-let [[a b] (seq [])] [a b] :none)
 :when-some (when-some [{:keys [q]} {:q false}] [q])
 :lit (let [{:keys [:a b/c ::d] :or {a 1}} {:b/c 2 ::d 3}] [a c d]))
