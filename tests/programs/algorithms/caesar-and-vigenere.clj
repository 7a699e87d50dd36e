;; Encrypt and break text with Caesar, Vigenere and run-length coding.
(require '[clojure.string :as str])

(defn shift-char [n c]
  (let [base (cond (Character/isUpperCase c) (int \A)
                   (Character/isLowerCase c) (int \a))]
    (if base
      (-> (int c) (- base) (+ n) (mod 26) (+ base) char)
      c)))

(defn caesar [n text] (apply str (map (partial shift-char n) text)))

(defn vigenere
  ([key text] (vigenere key text 1))
  ([key text sign]
   (loop [[c & more] text
          [k & ks :as all] (cycle (map #(- (int %) (int \a)) key))
          out []]
     (cond
       (nil? c) (str/join out)
       (Character/isLetter c) (recur more ks (conj out (shift-char (* sign k) c)))
       :else (recur more all (conj out c))))))

(def english (zipmap "etaoinshr" [12.7 9.1 8.2 7.5 7.0 6.7 6.3 6.1 6.0]))

(defn score [text]
  (transduce (map #(get english (Character/toLowerCase %) 0)) + text))

(defn crack [cipher]
  (->> (range 26)
       (map (fn [n] [n (caesar (- n) cipher)]))
       (sort-by (comp - score second))
       first))

(defn run-length [s]
  (->> s (partition-by identity) (map (fn [g] (str (when (next g) (count g)) (first g)))) (apply str)))

(defn expand [s]
  (str/replace s #"(\d+)(\D)" (fn [[_ n c]] (str/join (repeat (parse-long n) c)))))

(def secret (caesar 7 "Meet me at the station at nine"))

(println secret)
(println (crack secret))
(println (vigenere "lemon" "Attack at Dawn!"))

{:back (vigenere "lemon" (vigenere "lemon" "Attack at Dawn!") -1)
 :rot13 (caesar 13 (caesar 13 "Round Trip"))
 :rle ((juxt run-length (comp expand run-length)) "aaabccd")
 :counts (->> secret str/lower-case (filter #(Character/isLetter %)) frequencies (sort-by (juxt (comp - val) key)) (take 3))
 :anagram? (apply = (map (comp frequencies #(str/replace % #"\W" "") str/lower-case) ["Dormitory" "dirty room"]))
 :title (str/replace "the quick-brown fox" #"\b[a-z]" str/upper-case)
 :snake (-> "someCamelCaseName" (str/replace #"([A-Z])" "_$1") str/lower-case)
 :hash (reduce (fn [h c] (mod (+ (* 31 h) (int c)) 1000003)) 7 secret)}
