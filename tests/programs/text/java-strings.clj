; Text handled with Java's methods, as one who came from Java writes it.
(import '(java.util.regex Pattern Matcher))

(def ^String s "  The Quick Brown Fox  ")

(defn count-matches [^String text ^String sub]
  (loop [from 0 n 0]
    (let [i (.indexOf text sub (int from))]
      (if (neg? i) n (recur (+ i (.length sub)) (inc n))))))

(defn title-case [^String w]
  (str (.toUpperCase (.substring w 0 1)) (.toLowerCase (.substring w 1))))

(defn find-all [re text]
  (let [m (re-matcher re text)]
    (loop [found []]
      (if (.find m)
        (recur (conj found [(.start m) (.group m)]))
        found))))

(defn reverse-words [text]
  (let [sb (StringBuilder.)]
    (doseq [w (reverse (.split (.trim text) "\\s+"))]
      (when-not (zero? (.length sb)) (.append sb " "))
      (.append sb w))
    (.toString sb)))

(let [t (.trim s)]
  (println (.length s) (.length t) (.toUpperCase t) (.toLowerCase t))
  (println (.charAt t 4) (.indexOf t "Quick") (.lastIndexOf t "o") (.contains t "Fox"))
  (println (.startsWith t "The") (.endsWith t "x") (.isEmpty "") (.replace t "Quick" "Slow"))
  (println (.concat "ab" "cd") (.equals "a" "a") (.equalsIgnoreCase "AbC" "aBc") (.compareTo "apple" "banana"))
  {:split   (vec (.split "a,b;c" "[,;]"))
   :count   (count-matches "abcabcab" "abc")
   :title   (map title-case (.split "hELLO wORLD" " "))
   :found   (find-all #"[A-Z]\w+" t)
   :words   (reverse-words s)
   :quoted  (re-find (re-pattern (Pattern/quote "1+1")) "is 1+1=2")
   :matches [(.matches "12345" "\\d+") (.replaceAll "a1b22" "\\d+" "#") (.replaceFirst "a1b22" "[0-9]" "_")]
   :chars   [(Character/getNumericValue \7) (Character/toString \q) (String/valueOf 42) (String. "copy") (int (.charAt "A" 0)) (String/join "-" ["x" "y"])]})
