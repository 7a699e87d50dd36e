; Build texts with StringBuilder, with-out-str, reduce and transients, and see that all agree.
(require '[clojure.string :as str])

(defn fizz [n]
  (cond-> nil
    (zero? (mod n 3)) (str "Fizz")
    (zero? (mod n 5)) (str "Buzz")
    :always           (or (str n))))

(defn by-builder [n]
  (let [sb (StringBuilder.)]
    (doseq [i (range 1 (inc n))]
      (when (pos? (.length sb)) (.append sb ","))
      (.append sb (fizz i)))
    (.toString sb)))

(defn by-out [n]
  (with-out-str
    (dotimes [i n]
      (when (pos? i) (print ","))
      (print (fizz (inc i))))))

(defn by-reduce [n]
  (reduce #(str %1 "," (fizz %2)) (fizz 1) (range 2 (inc n))))

(defn by-transient [n]
  (loop [i 1 acc (transient [])]
    (if (> i n)
      (str/join "," (persistent! acc))
      (recur (inc i) (conj! acc (fizz i))))))

(defn char-codes [s]
  (persistent!
   (reduce-kv (fn [m i c] (assoc! m i (int c))) (transient {}) (vec s))))

(let [answers ((juxt by-builder by-out by-reduce by-transient) 15)]
  (println (first answers))
  (println "all equal:" (apply = answers))
  {:size  (count (first answers))
   :codes (char-codes "abc")
   :edit  (-> (StringBuilder. "hello") (.insert 0 "> ") (.append \!) .reverse str)
   :chars (apply str (map char (range 97 105)))
   :index [(.indexOf "banana" "nan") (.lastIndexOf "banana" "a") (str/index-of "banana" "x") (.charAt "abc" 1)]
   :hex   (str/join " " (map #(format "%02X" (int %)) "Hi!"))})
