;; A small parser-combinator library as functions returning [value rest] or nil, used for dates and durations.
(require '[clojure.string :as str])

(defn item [pred] (fn [[c & more :as in]] (when (and (seq in) (pred c)) [c more])))
(defn fmap [f p] (fn [in] (when-let [[v more] (p in)] [(f v) more])))
(defn then [& ps]
  (fn [in]
    (reduce (fn [[vs in] p]
              (if-let [[v more] (p in)] [(conj vs v) more] (reduced nil)))
            [[] in] ps)))
(defn either [& ps] (fn [in] (some #(% in) ps)))
(defn many [p]
  (fn [in]
    (loop [vs [], in in]
      (if-let [[v more] (p in)] (recur (conj vs v) more) [vs in]))))
(defn many1 [p] (fmap (fn [[x xs]] (into [x] xs)) (then p (many p))))
(defn optional [p] (fn [in] (or (p in) [nil in])))
(defn literal [s] (apply then (map (fn [c] (item #{c})) s)))

(def digit (item #(Character/isDigit ^char %)))
(def number (fmap #(Long/parseLong (apply str %)) (many1 digit)))
(def spaces (many (item #(Character/isWhitespace ^char %))))
(defn token [p] (fmap first (then p spaces)))

(def units {\d 86400 \h 3600 \m 60 \s 1})
(def duration
  (fmap #(reduce + %)
        (many1 (token (fmap (fn [[n u]] (* n (units u))) (then number (item units)))))))

(def months (zipmap ["jan" "feb" "mar" "apr"] (iterate inc 1)))
(def month (apply either (map (fn [[k v]] (fmap (constantly v) (literal k))) months)))
(def date (fmap (fn [[d m y]] {:day d :month m :year y}) (then (token number) (token month) (optional number))))

(defn parse [p text]
  (let [[v more] (p (seq text))]
    (if (seq more) [:rest (apply str more)] v)))

(doseq [s ["1h 30m" "2d" "90s" "5x"]]
  (println s "=>" (pr-str (parse duration s))))

{:dates   (map #(parse date %) ["3 mar 2024" "14 feb" "7 foo"])
 :many    (parse (many (literal "ab")) "abababc")
 :nothing (parse (many1 digit) "abc")
 :list    (parse (fmap (fn [[x xs]] (into [x] (map second xs))) (then number (many (then (literal ",") number)))) "1,22,333")}
