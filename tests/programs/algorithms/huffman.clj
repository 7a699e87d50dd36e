;; Build a Huffman code for a text, encode it and decode it again.
(require '[clojure.string :as str])

(defn leaf [[ch n]] {:weight n :chars (str ch) :ch ch})

(defn combine [a b]
  {:weight (+ (:weight a) (:weight b))
   :chars (apply str (sort (str (:chars a) (:chars b))))
   :left a
   :right b})

(defn build-tree [text]
  (loop [nodes (sort-by (juxt :weight :chars) (map leaf (frequencies text)))]
    (let [[a b & more] nodes]
      (if b
        (recur (sort-by (juxt :weight :chars) (conj more (combine a b))))
        a))))

(defn codes
  ([tree] (codes tree ""))
  ([{:keys [ch left right]} prefix]
   (if ch
     {ch (if (= "" prefix) "0" prefix)}
     (merge (codes left (str prefix "0"))
            (codes right (str prefix "1"))))))

(defn encode [table text]
  (str/join (map table text)))

(defn decode [tree bits]
  (loop [node tree [b & more :as bits] bits out (StringBuilder.)]
    (cond
      (:ch node) (recur tree bits (.append out (:ch node)))
      (nil? b) (.toString out)
      :else (recur (if (= b \0) (:left node) (:right node)) more out))))

(def text "abracadabra alakazam")

(let [tree (build-tree text)
      table (codes tree)
      bits (encode table text)]
  (doseq [[ch code] (sort-by (juxt (comp count val) key) table)]
    (println (pr-str ch) code))
  {:bits (count bits)
   :plain (* 8 (count text))
   :ratio (format "%.3f" (/ (count bits) (* 8.0 (count text))))
   :roundtrip? (= text (decode tree bits))
   :prefix-free? (empty? (for [[a ca] table [b cb] table
                               :when (and (not= a b) (str/starts-with? ca cb))]
                           [a b]))
   :start (subs bits 0 16)})
