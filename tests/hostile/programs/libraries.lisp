;; ends in limit/depth
(loop [loc (zip/vector-zip (reduce (fn [v _] [v]) [] (range 9000)))] (if (zip/end? loc) :done (recur (zip/next loc))))
;; ends in limit
(loop [loc (zip/vector-zip [1 2])] (recur (zip/append-child (zip/edit loc (fn [v] [v v])) 1)))
;; ends in limit
(zip/rightmost (zip/down (zip/zipper seq? identity (fn [_ c] c) (range))))
;; ends in limit
(zip/root (zip/append-child (zip/zipper seq? identity (fn [_ c] (doall c)) (range)) 1))
;; ends in limit
(let [z (zip/zipper (constantly true) (constantly [1]) (fn [_ c] c) 0)] (loop [loc z] (recur (zip/next loc))))
;; ends in limit
(let [z (zip/zipper (constantly true) (constantly [1 2]) (fn [_ c] c) 0)] (zip/remove (zip/right (zip/down z))))
;; ends in limit/depth or value
(letfn [(kids [n] (zip/children (zip/zipper (constantly true) kids (fn [_ c] c) n)))] (kids 1))
;; ends in limit
(clojure.data/diff (range) (map inc (range)))
;; ends in limit or value
(def d (fn [x] (reduce (fn [v _] {:k v}) {:x x} (range 4900)))) (count (clojure.data/diff (d 1) (d 2)))
;; ends in value
(count (second (clojure.data/diff (vec (range 20000)) (vec (range 1 20001)))))
;; ends in limit
(loop [a [1] b [2]] (clojure.data/diff a b) (recur [a a a] [b b b]))
