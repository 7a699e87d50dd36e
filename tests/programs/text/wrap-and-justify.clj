; Wrap text to a width and justify the lines by spreading spaces.
(require '[clojure.string :as str])

(defn wrap [width text]
  (loop [words (str/split (str/trim text) #"\s+")
         line  []
         lines []]
    (if-let [[w & more] (seq words)]
      (let [candidate (conj line w)]
        (if (and (seq line) (> (count (str/join " " candidate)) width))
          (recur more [w] (conj lines line))
          (recur more candidate lines)))
      (cond-> lines (seq line) (conj line)))))

(defn justify-line [width words]
  (let [gaps  (dec (count words))
        chars (reduce + (map count words))
        space (- width chars)]
    (if (zero? gaps)
      (first words)
      (let [each  (quot space gaps)
            extra (rem space gaps)
            pads  (map-indexed (fn [i _] (apply str (repeat (+ each (if (< i extra) 1 0)) " ")))
                               (range gaps))]
        (apply str (concat (interleave words pads) [(last words)]))))))

(defn justify [width text]
  (let [lines (wrap width text)]
    (conj (mapv (partial justify-line width) (butlast lines))
          (str/join " " (last lines)))))

(defn center [width s]
  (let [total (- width (count s))
        left  (quot total 2)]
    (str (str/join (repeat left \space)) s (str/join (repeat (- total left) \space)))))

(def text "The quick brown fox jumps over the lazy dog, and then it
  rests for a while under an extraordinarily    tall tree.")

(println (center 24 "* FOX *"))
(doseq [line (justify 24 text)]
  (println line))

[(mapv count (justify 24 text))
 (mapv #(str/join " " %) (wrap 10 "a bb ccc dddd eeeee ffffffffffff g"))
 (wrap 10 "")
 (center 7 "abc")]
