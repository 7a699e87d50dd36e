;; Search text with Knuth-Morris-Pratt, a trie and sliding windows.
(require '[clojure.string :as str])

(defn prefix-table [pattern]
  (let [p (vec pattern)]
    (loop [i 1 k 0 table [0]]
      (cond
        (= i (count p)) table
        (= (p i) (p k)) (recur (inc i) (inc k) (conj table (inc k)))
        (pos? k) (recur i (table (dec k)) table)
        :else (recur (inc i) 0 (conj table 0))))))

(defn kmp [text pattern]
  (let [p (vec pattern) table (prefix-table pattern) m (count p)]
    (loop [[c & more :as cs] (seq text) i 0 k 0 found []]
      (cond
        (empty? cs) found
        (= c (get p k)) (if (= (inc k) m)
                          (recur more (inc i) (table k) (conj found (- i k)))
                          (recur more (inc i) (inc k) found))
        (pos? k) (recur cs i (table (dec k)) found)
        :else (recur more (inc i) 0 found)))))

(defn add-word [trie word]
  (assoc-in trie (concat word [:end]) word))

(defn words-with-prefix [trie prefix]
  (->> (get-in trie (seq prefix))
       (tree-seq map? vals)
       (filter string?)
       sort))

(def trie (reduce add-word {} ["car" "card" "care" "cat" "dog" "do"]))

(defn longest-unique [s]
  (loop [start 0 end 0 last-seen {} best ""]
    (if (= end (count s))
      best
      (let [c (.charAt s end)
            start (max start (inc (get last-seen c -1)))
            window (subs s start (inc end))]
        (recur start (inc end) (assoc last-seen c end)
               (if (> (count window) (count best)) window best))))))

(println (prefix-table "abacab") (kmp "abababa" "aba"))
(println (words-with-prefix trie "car") (words-with-prefix trie "x"))

(defn palindromes [s]
  (->> (for [i (range (count s))
             j (range (+ i 3) (inc (count s)))
             :let [t (subs s i j)]
             :when (= t (str/reverse t))]
         t)
       distinct
       (sort-by (juxt (comp - count) identity))))

{:kmp (kmp "the cat sat on the mat with the hat" "the")
 :same-as-index (= (first (kmp "hello world" "wor")) (str/index-of "hello world" "wor"))
 :unique (map longest-unique ["abcabcbb" "bbbb" "pwwkew" ""])
 :palindromes (palindromes "abacabad")
 :trie (get-in trie [\c \a \r :end])
 :last-index (.lastIndexOf "the cat the" "the")}
