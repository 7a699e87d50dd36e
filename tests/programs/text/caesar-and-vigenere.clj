; Encrypt and decrypt with Caesar and Vigenere ciphers, and break a Caesar cipher by letter frequencies.
(require '[clojure.string :as str])

(defn shift-char [k c]
  (let [rot (fn [base] (char (+ base (mod (+ (- (int c) base) k) 26))))]
    (cond
      (Character/isUpperCase c) (rot (int \A))
      (Character/isLowerCase c) (rot (int \a))
      :else c)))

(defn caesar [k s] (apply str (map (partial shift-char k) s)))
(defn decaesar [k s] (caesar (- k) s))

(defn vigenere
  [key s & {:keys [decrypt?] :or {decrypt? false}}]
  (let [ks (cycle (map #(- (int %) (int \a)) (str/lower-case key)))]
    (loop [[c & more] s, ks ks, out (StringBuilder.)]
      (if (nil? c)
        (.toString out)
        (if (Character/isLetter c)
          (let [k (first ks)]
            (recur more (rest ks) (.append out (shift-char (if decrypt? (- k) k) c))))
          (recur more ks (.append out c)))))))

(def english "etaoinshrdlu")

(defn score [s]
  (let [f (frequencies (filter #(Character/isLetter %) (str/lower-case s)))]
    (reduce + (map-indexed (fn [i c] (* (- 12 i) (get f c 0))) english))))

(defn break-caesar [s]
  (->> (range 26)
       (map (fn [k] [k (decaesar k s)]))
       (apply max-key (comp score second))))

(let [plain  "Attack the east wall of the castle at dawn, Sir!"
      secret (caesar 7 plain)
      v      (vigenere "Lemon" plain)]
  (println secret)
  (println v)
  (println (vigenere "Lemon" v :decrypt? true))
  [(= plain (decaesar 7 secret))
   (break-caesar secret)
   (caesar 13 (caesar 13 "Round trip"))
   (= plain (vigenere "Lemon" v :decrypt? true))])
