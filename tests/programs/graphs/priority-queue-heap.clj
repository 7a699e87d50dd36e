; A leftist heap and a binary heap in a vector, used for sorting, the k smallest and Huffman codes.
(defn merge-heaps [[_ a _ _ :as h1] [_ b _ _ :as h2]]
  (cond
    (nil? h1) h2
    (nil? h2) h1
    (pos? (compare (first a) (first b))) (recur h2 h1)
    :else
    (let [[_ item left right] h1
          right (merge-heaps right h2)
          rank  (fn [h] (if h (first h) 0))]
      (if (>= (rank left) (rank right))
        [(inc (rank right)) item left right]
        [(inc (rank left)) item right left]))))

(defn push [heap priority item] (merge-heaps heap [1 [priority item] nil nil]))
(defn top [[_ item]] item)
(defn pop-top [[_ _ l r]] (merge-heaps l r))

(defn drain [heap]
  (lazy-seq
   (when heap
     (cons (top heap) (drain (pop-top heap))))))

(defn heap-sort [xs]
  (map second (drain (reduce #(push %1 %2 %2) nil xs))))

(defn sift-up [v i]
  (let [p (quot (dec i) 2)]
    (if (and (pos? i) (< (v i) (v p)))
      (recur (assoc v i (v p) p (v i)) p)
      v)))

(defn vpush [v x] (sift-up (conj v x) (count v)))

(defn huffman [text]
  (loop [heap (reduce (fn [h [c n]] (push h [n (str c)] c)) nil (frequencies text))]
    (let [[[n1 k1] a] (top heap)
          more (pop-top heap)]
      (if (nil? more)
        a
        (let [[[n2 k2] b] (top more)]
          (recur (push (pop-top more) [(+ n1 n2) (str k1 k2)] [a b])))))))

(defn codes
  ([tree] (into (sorted-map) (codes tree "")))
  ([tree prefix]
   (if (vector? tree)
     (mapcat codes tree [(str prefix 0) (str prefix 1)])
     [[tree prefix]])))

(defn decode [tree bits]
  (loop [node tree bits bits out []]
    (cond
      (not (vector? node)) (recur tree bits (conj out node))
      (empty? bits)        (apply str out)
      :else (recur (node (- (int (first bits)) (int \0))) (rest bits) out))))

(let [text "abracadabra"
      tree (huffman text)
      cs   (codes tree)
      bits (apply str (map cs text))]
  (doseq [[c code] cs] (println c code))
  {:sorted   (heap-sort [5 3 8 1 9 2])
   :smallest (take 3 (heap-sort (map #(mod (* 37 %) 101) (range 50))))
   :binary   (reduce vpush [] [5 3 8 1 9 2])
   :bits     (count bits)
   :back     (= text (decode tree bits))
   :tasks    (map second (drain (reduce (fn [h [p t]] (push h p t)) nil {2 :write 1 :read 3 :rest})))
   :saved    (- (* 8 (count text)) (count bits))})
