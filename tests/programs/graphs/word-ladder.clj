; Change one word into another a letter at a time through known words, from both ends.
(require '[clojure.set :as set]
         '[clojure.string :as str])

(def dictionary
  (->> "cold cord card ward warm word wood wool cool corn born barn bard worm form dorm zzzz"
       (re-seq #"\w+")
       (into #{})))

(defn one-apart? [a b]
  (and (= (count a) (count b))
       (= 1 (count (filter false? (map = a b))))))

(defn wildcards [word]
  (for [i (range (count word))]
    (str (subs word 0 i) "_" (subs word (inc i)))))

(def index
  (reduce (fn [m w] (reduce #(update %1 %2 (fnil conj (sorted-set)) w) m (wildcards w)))
          {}
          dictionary))

(defn neighbours [word]
  (-> (into (sorted-set) (mapcat index) (wildcards word))
      (disj word)))

(defn ladder [from to]
  (loop [paths [[from]] seen #{from}]
    (if (empty? paths)
      nil
      (or (first (filter #(= to (peek %)) paths))
          (let [extended (for [p paths n (neighbours (peek p)) :when (not (seen n))] (conj p n))]
            (recur (vals (into (sorted-map) (map (juxt peek identity)) (reverse extended)))
                   (into seen (map peek) extended)))))))

(defn levels [word]
  (->> [#{word} #{word}]
       (iterate (fn [[frontier seen]]
                  (let [next-frontier (set/difference (into #{} (mapcat neighbours) frontier) seen)]
                    [next-frontier (set/union seen next-frontier)])))
       (map first)
       (take-while seq)))

(println (str/join " -> " (ladder "cold" "warm")))

{:length   (count (ladder "cold" "warm"))
 :none     (ladder "cold" "zzzz")
 :near     (neighbours "cord")
 :levels   (map count (levels "cold"))
 :farthest (-> (levels "cold") last sort)
 :checks   (->> (ladder "cold" "dorm") (partition 2 1) (every? (partial apply one-apart?)))
 :apart    [(one-apart? "cold" "cord") (one-apart? "cold" "warm") (one-apart? "a" "ab")]}
