;; Wrap texts, align columns of a table by type and draw boxes.
(require '[clojure.string :as str])
(defn wrap [width s]
  (->> (str/split s #"\s+")
       (reduce (fn [lines w]
                 (let [l (peek lines)]
                   (if (and l (<= (+ (count l) 1 (count w)) width))
                     (conj (pop lines) (str l " " w))
                     (conj lines w))))
               [])))
(defn pad [align w s]
  (let [gap (- w (count s)) fill #(str/join (repeat % " "))]
    (case align
      :left (str s (fill gap))
      :right (str (fill gap) s)
      :center (let [l (quot gap 2)] (str (fill l) s (fill (- gap l)))))))
(defn cell [v] (cond (nil? v) "" (keyword? v) (name v) (double? v) (format "%,.2f" v) (ratio? v) (str (numerator v) "⁄" (denominator v)) :else (str v)))
(defn align-of [col] (if (every? (some-fn number? nil?) col) :right :left))

(defn table [rows & {:keys [cols title] :or {cols (keys (first rows))}}]
  (let [cells (for [r rows] (mapv (comp cell r) cols))
        heads (mapv (comp str/capitalize name) cols)
        widths (apply map (fn [& xs] (apply max (map count xs))) heads cells)
        aligns (map (fn [k] (align-of (map k rows))) cols)
        line (str "+" (str/join "+" (map #(str/join (repeat (+ 2 %) \-)) widths)) "+")
        row (fn [als xs] (str "| " (str/join " | " (map pad als widths xs)) " |"))]
    (concat (when title [(pad :center (count line) title)])
            [line (row (repeat :center) heads) line]
            (map (partial row aligns) cells)
            [line])))

(def data [{:name "Ann" :amt 1234.5 :share 1/3 :role :admin}
           {:name "Bartholomew" :amt 7.0 :share nil :role :user}
           {:name "Éva" :amt -0.125 :share 2 :role nil}])
(run! println (table data :title "Staff"))
(println (str/join "\n" (table (sort-by :amt data) {:cols [:role :name]})))
(doseq [[i l] (map-indexed vector (wrap 18 "the quick brown fox jumps over the extraordinarily lazy dog"))]
  (printf "%2d %s|%n" (inc i) l))
{:center (pad :center 7 "ab")
 :trim (map str/trim-newline ["a\n\r" "b"])
 :fmt (format "%5s|%-5s|%05d|%+d|%x|%o|%e|%.0f|%%|%b|%c|%10.3f|%S" "a" "b" 42 42 255 8 12345.678 2.5 true \x 3.14159 "up")
 :sci [(format "%g" 0.0001) (format "%,d" 1234567) (format "%(d" -5) (format "% d" 5) (format "%08.2f" -3.14159) (format "%3$s %1$s" 1 2 3)]
 :wrap (wrap 5 "a bb ccc dddd eeeeee")}
