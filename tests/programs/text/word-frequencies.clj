; The most frequent words of a text, without stop words, with ties in alphabetical order.
(require '[clojure.string :as str])

(def text
  "It was the best of times, it was the worst of times, it was the age of wisdom,
   it was the age of foolishness; it was the epoch of belief, it was the epoch of
   incredulity -- it wasn't the season of Light, it was the season of Darkness!")

(def stop-words #{"it" "was" "the" "of" "a" "an"})

(defn tokenize [s]
  (->> (str/lower-case s)
       (re-seq #"[a-z]+(?:'[a-z]+)?")
       (remove stop-words)))

(let [words  (tokenize text)
      freqs  (frequencies words)
      ranked (sort-by (juxt (comp - val) key) freqs)
      width  (apply max (map count (keys freqs)))]
  (doseq [[w n] (take 5 ranked)]
    (println (format (str "%-" width "s %d %s") w n (apply str (repeat n "#")))))
  {:total    (count words)
   :distinct (count freqs)
   :top      (take 3 ranked)
   :once     (count (filter #(= 1 (val %)) freqs))
   :longest  (first (sort-by (juxt (comp - count) identity) (distinct words)))
   :by-letter (->> (distinct words)
                   (group-by first)
                   (sort-by key)
                   (take 3)
                   (map (fn [[c ws]] [c (sort ws)])))})
