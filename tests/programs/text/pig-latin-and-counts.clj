; Translate to Pig Latin keeping capitals and punctuation, and count vowels and syllables.
(ns pig.latin
  (:require [clojure.string :as str]))

(def vowel? (set "aeiouAEIOU"))

(defn pig-word [word]
  (let [[_ head tail] (re-matches #"(?i)([^aeiou]*?qu|[^aeiouy]+|y(?=[aeiou]))?(.*)" word)
        pig (str tail head (if head "ay" "way"))]
    (if (Character/isUpperCase (first word))
      (str/capitalize pig)
      pig)))

(defn pig-latin [sentence]
  (str/replace sentence #"[A-Za-z]+" pig-word))

(defn syllables [word]
  (-> (str/lower-case word)
      (str/replace #"(?:e|es|ed)$" "")
      (->> (re-seq #"[aeiouy]+"))
      count
      (max 1)))

(defn reading-ease [text]
  (let [sentences (count (re-seq #"[.!?]+" text))
        words     (re-seq #"\w+" text)
        n         (count words)]
    (- 206.835
       (* 1.015 (/ n sentences))
       (* 84.6 (/ (reduce + (map syllables words)) n)))))

(println (pig-latin "Hello, World! The quick yellow apple is quiet."))

(let [text "The cat sat on the mat. A remarkable observation was recorded!"]
  {:vowels    (count (filter vowel? text))
   :by-vowel  (->> text str/lower-case (filter vowel?) frequencies (into (sorted-map)))
   :syllables (map (juxt identity syllables) ["cat" "remarkable" "observation" "queue"])
   :ease      (format "%.1f" (reading-ease text))
   :swapped   (apply str (map #(if (Character/isUpperCase %) (Character/toLowerCase %) (Character/toUpperCase %)) "aBc Def"))})
