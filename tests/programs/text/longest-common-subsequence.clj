;; Longest common subsequence of texts and of lines, with a table in a two-dimensional array.
(require '[clojure.string :as str])

(defn lcs-table [a b]
  (let [n (count a)
        m (count b)
        t (make-array Integer/TYPE (inc n) (inc m))]
    (doseq [i (range 1 (inc n))
            j (range 1 (inc m))]
      (aset-int t i j
            (if (= (nth a (dec i)) (nth b (dec j)))
              (inc (aget t (dec i) (dec j)))
              (max (aget t (dec i) j) (aget t i (dec j))))))
    t))

(defn lcs [a b]
  (let [a (vec a)
        b (vec b)
        t (lcs-table a b)]
    (loop [i (count a), j (count b), out ()]
      (cond
        (or (zero? i) (zero? j)) out
        (= (a (dec i)) (b (dec j))) (recur (dec i) (dec j) (cons (a (dec i)) out))
        (>= (aget t (dec i) j) (aget t i (dec j))) (recur (dec i) j out)
        :else (recur i (dec j) out)))))

(defn diff-lines [old new]
  (let [common (lcs old new)]
    (loop [[c & cs :as common] common, old old, new new, out []]
      (cond
        (and (seq old) (not= (first old) c)) (recur common (rest old) new (conj out (str "- " (first old))))
        (and (seq new) (not= (first new) c)) (recur common old (rest new) (conj out (str "+ " (first new))))
        (nil? c) out
        :else (recur cs (rest old) (rest new) (conj out (str "  " c)))))))

(def before (str/split-lines "milk\neggs\nbread\nbutter"))
(def after (str/split-lines "milk\nbread\ncheese\nbutter\njam"))

(run! println (diff-lines before after))

{:lcs    (apply str (lcs "AGGTAB" "GXTXAYB"))
 :length (let [t (lcs-table "nematode" "empty")] (aget t 8 5))
 :words  (lcs (str/split "the quick brown fox" #" ") (str/split "a quick red fox" #" "))
 :empty  (lcs "" "abc")}
