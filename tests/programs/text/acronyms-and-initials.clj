; Make acronyms, initials, plurals and ordinals from words by small rules.
(require '[clojure.string :as str])

(defn acronym [phrase]
  (->> (re-seq #"[A-Z]+[a-z]*|[a-z]+" phrase)
       (map (comp str/upper-case str first))
       (apply str)))

(defn initials [full-name]
  (let [parts (str/split full-name #"\s+")
        [family given] ((juxt peek pop) parts)]
    (str (str/join " " (map #(str (first %) ".") given)) " " family)))

(defn plural [word]
  (cond
    (re-find #"(?:s|x|z|ch|sh)$" word)  (str word "es")
    (re-find #"[^aeiou]y$" word)        (str/replace word #"y$" "ies")
    (str/ends-with? word "fe")          (str (subs word 0 (- (count word) 2)) "ves")
    :else                               (str word \s)))

(defn ordinal [n]
  (let [suffix (if (<= 11 (mod n 100) 13)
                 "th"
                 (case (mod n 10) 1 "st" 2 "nd" 3 "rd" "th"))]
    (str n suffix)))

(defn enumerate
  [things & {:keys [word] :or {word "and"}}]
  (case (count things)
    0 "nothing"
    1 (first things)
    2 (str/join (str " " word " ") things)
    (str (str/join ", " (butlast things)) ", " word " " (last things))))

(println (str/join " " (map ordinal [1 2 3 4 11 12 13 21 22 101 111])))
(println (enumerate []) "/" (enumerate ["a"]) "/" (enumerate ["a" "b"]) "/" (enumerate ["a" "b" "c"] :word "or"))

[(map acronym ["Portable Network Graphics" "Ruby on Rails" "HyperText Markup Language" "Halley's Comet"])
 (initials "Johann Sebastian Bach")
 (map plural ["box" "city" "day" "knife" "cat" "church"])
 (let [[first-name & _ :as all] (str/split "Grace Brewster Murray Hopper" #" ")]
   {:first first-name :n (count all) :middle (-> all rest butlast vec)})
 (str/replace "The year 1999 and 2024" #"\d+" #(str (inc (Integer/parseInt %))))
 (str/replace-first "aaa" #"a" "b")]
