; A small regular expression engine with derivatives: literals, any, sequence, choice, star.
(declare nullable? derive-by)

(defn seq-of [a b]
  (cond (= a :none) :none
        (= b :none) :none
        (= a :empty) b
        (= b :empty) a
        :else [:seq a b]))

(defn alt [a b]
  (cond (= a b) a
        (= a :none) b
        (= b :none) a
        :else [:alt a b]))

(defn nullable? [re]
  (cond (= re :empty) true
        (keyword? re) false
        (char? re) false
        :else (let [[op a b] re]
                (case op
                  :seq  (and (nullable? a) (nullable? b))
                  :alt  (or (nullable? a) (nullable? b))
                  :star true))))

(defn derive-by [re c]
  (cond (#{:none :empty} re) :none
        (= re :any) :empty
        (char? re) (if (= re c) :empty :none)
        :else
        (let [[op a b] re]
          (case op
            :seq  (let [d (seq-of (derive-by a c) b)]
                    (if (nullable? a) (alt d (derive-by b c)) d))
            :alt  (alt (derive-by a c) (derive-by b c))
            :star (seq-of (derive-by a c) re)))))

(defn matches? [re s]
  (nullable? (reduce derive-by re s)))

(defn literal [s] (reduce seq-of :empty s))
(defn plus [re] (seq-of re [:star re]))
(defn optional [re] (alt re :empty))

(defn states [re alphabet]
  (loop [todo [re] seen [] edges {}]
    (if-let [[r & more] (seq todo)]
      (if (some #{r} seen)
        (recur more seen edges)
        (let [out (into {} (for [c alphabet :let [d (derive-by r c)] :when (not= d :none)] [c d]))]
          (recur (concat more (vals out)) (conj seen r) (assoc edges r out))))
      {:count (count seen) :accepting (count (filter nullable? seen)) :edges (reduce + (map count (vals edges)))})))

(def digit (reduce alt :none "0123456789"))
(def number (seq-of (optional \-) (seq-of (plus digit) (optional (seq-of \. (plus digit))))))
(def ab-star-c (seq-of [:star (alt \a \b)] \c))

(doseq [s ["42" "-3.14" "3." ".5" "" "--1"]]
  (println (pr-str s) (matches? number s) (boolean (re-matches #"-?\d+(\.\d+)?" s))))

{:abc     (mapv (partial matches? ab-star-c) ["c" "ababc" "abca" ""])
 :any     (matches? (seq-of \h (seq-of :any \t)) "hat")
 :literal (mapv #(matches? (literal "cat") %) ["cat" "cats" "ca"])
 :dfa     (states ab-star-c "abc")
 :derived (derive-by ab-star-c \c)}
