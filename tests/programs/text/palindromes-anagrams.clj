; Group words into anagrams, find palindromes and the longest palindromic part of a text.
(require '[clojure.string :as s])

(def words ["listen" "silent" "enlist" "google" "elbow" "below" "level" "noon" "abc" "cab" "Racecar"])

(defn anagram-groups [ws]
  (->> ws
       (group-by (comp sort s/lower-case))
       vals
       (filter next)
       (map sort)
       (sort-by (juxt (comp - count) first))))

(defn palindrome? [w]
  (let [clean (filter #(Character/isLetterOrDigit %) (s/lower-case w))]
    (= clean (reverse clean))))

(defn expand [^String text left right]
  (loop [l left r right]
    (if (and (>= l 0) (< r (count text)) (= (.charAt text l) (.charAt text r)))
      (recur (dec l) (inc r))
      (subs text (inc l) r))))

(defn longest-palindrome [text]
  (->> (range (count text))
       (mapcat (fn [i] [(expand text i i) (expand text i (inc i))]))
       (reduce (fn [best p] (if (> (count p) (count best)) p best)) "")))

(defn anagram? [a b] (apply = (map (comp frequencies s/lower-case) [a b])))

(println (anagram-groups words))
(println (s/join ", " (filter palindrome? words)))
(println (s/reverse "stressed"))

{:sentences (mapv palindrome? ["A man, a plan, a canal: Panama!" "Not a palindrome" ""])
 :longest   (mapv longest-palindrome ["babad" "forgeeksskeegfor" "cbbd" "a" ""])
 :anagrams  [(anagram? "Dormitory" "dirtyroom") (anagram? "ab" "abb")]
 :keys      (keys (into (sorted-map) (group-by count words)))
 :pairs     (for [a words b words
                  :when (neg? (compare a b))
                  :when (and (not= a b) (anagram? a b))]
              [a b])}
