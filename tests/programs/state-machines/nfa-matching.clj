; Match patterns of literals, dots and stars by simulating a set of states, beside a trampolined matcher.
(defn compile-pattern [s]
  (loop [[c & [n & more-after :as more]] (seq s), out []]
    (cond
      (nil? c) out
      (= n \*) (recur more-after (conj out [:star c]))
      :else (recur more (conj out [:one c])))))

(defn closure [prog states]
  (loop [work (vec states), seen (set states)]
    (if-let [i (peek work)]
      (let [j (inc i)]
        (if (and (= :star (first (get prog i))) (not (seen j)))
          (recur (conj (pop work) j) (conj seen j))
          (recur (pop work) seen)))
      seen)))

(defn step [prog states ch]
  (closure prog
    (for [i states
          :let [[kind c] (get prog i)]
          :when (and kind (or (= c \.) (= c ch)))]
      (if (= kind :star) i (inc i)))))

(defn nfa-match? [pattern text]
  (let [prog (compile-pattern pattern)]
    (contains? (reduce (partial step prog) (closure prog [0]) text) (count prog))))

(declare match-here)

(defn match-star [c prog text]
  (fn []
    (or (trampoline match-here prog text)
        (and (seq text) (or (= c \.) (= c (first text)))
             (match-star c prog (rest text))))))

(defn match-here [[[kind c] & more :as prog] text]
  (cond
    (empty? prog) (empty? text)
    (= kind :star) (match-star c more text)
    (and (seq text) (or (= c \.) (= c (first text)))) #(match-here more (rest text))
    :else false))

(defn slow-match? [pattern text] (boolean (trampoline match-here (compile-pattern pattern) text)))

(def cases
  [["a*b" "aaab"] ["a*b" "b"] ["a*b" "aaa"] ["." "x"] [".*c" "abc"] ["" ""] ["a.c*" "abccc"] ["a*a*a*" "aaaa"] ["ab" "abc"]])

(doseq [[p t] cases]
  (println (format "%-7s %-5s %s" (pr-str p) t (nfa-match? p t))))

{:program (compile-pattern "ab*c")
 :agree   (every? (fn [[p t]] (= (nfa-match? p t) (slow-match? p t))) cases)
 :states  (sort (closure (compile-pattern "a*b*c") [0]))
 :long    (nfa-match? "a*a*a*a*b" (apply str (repeat 200 \a)))}
