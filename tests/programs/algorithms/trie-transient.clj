;; Build tries and frequency tables with transients and array operations.
(require '[clojure.string :as str])

(defn trie-add [t w] (assoc-in t (concat w [:end]) w))
(defn trie-words [t] (->> (tree-seq map? vals t) (filter string?) sort))
(defn trie-prefix [t p] (some-> (get-in t (seq p)) trie-words))

(defn index-by-first [ws]
  (persistent!
   (reduce (fn [m w] (let [k (first w)] (assoc! m k (conj (get m k []) w)))) (transient {}) ws)))

(defn counts-array [^String s]
  (let [^longs arr (long-array 26)]
    (doseq [c (str/lower-case s)
            :let [i (- (int c) (int \a))]
            :when (< -1 i 26)]
      (aset arr i (inc (aget arr i))))
    arr))

(defn sieve [n]
  (let [^booleans comp (boolean-array (inc n))]
    (loop [i 2 ps (transient [])]
      (cond
        (> i n) (persistent! ps)
        (aget comp i) (recur (inc i) ps)
        :else (do (loop [j (* i i)] (when (<= j n) (aset comp j true) (recur (+ j i))))
                  (recur (inc i) (conj! ps i)))))))

(def ws (str/split "to tea ted ten inn in i a toad" #" "))
(def t (reduce trie-add {} ws))
(def arr (counts-array "Hello World"))

(println (str/join " " (trie-prefix t "te")) (trie-prefix t "zz"))
(array-map
 :words (trie-words t)
 :idx (into (sorted-map) (index-by-first ws))
 :letters (->> arr (map-indexed #(vector (char (+ 97 %1)) %2)) (filter (comp pos? second)))
 :sum (areduce arr i acc 0 (+ acc (aget arr i)))
 :dbl (vec (amap ^longs arr i ret (* 2 (aget arr i))))
 :primes (sieve 30)
 :set (let [s (transient #{1 2})] (-> s (conj! 3) (disj! 1) persistent! sort))
 :pop (persistent! (pop! (conj! (transient [1 2]) 3)))
 :map (into (sorted-map) (persistent! (dissoc! (assoc! (transient {:a 1}) :b 2 :c 3) :a)))
 :count (count (transient [1 2 3]))
 :after (try (let [v (transient [])] (persistent! v) (conj! v 1)) (catch IllegalAccessError e (.getMessage e)))
 :2d (let [g (make-array Long/TYPE 2 3)] (aset g 1 2 7) (mapv vec g))
 :chars (String. (char-array [\a \b])) :strs (vec (into-array String ["x"])))
