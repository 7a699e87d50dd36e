; A grammar in BNF text: read it, list all its sentences up to a length, and recognise words with CYK.
(require '[clojure.string :as str]
         '[clojure.set :as set])

(def bnf
  "<sentence> ::= <noun> <verb> | <noun> <verb> <noun>
   <noun>     ::= 'the' <animal>
   <animal>   ::= 'cat' | 'dog'
   <verb>     ::= 'sees' | 'likes'")

(defn parse-symbol [s]
  (if-let [[_ nt] (re-matches #"<(.+)>" s)]
    (keyword nt)
    (str/replace s "'" "")))

(defn parse-grammar [text]
  (->> (str/split-lines text)
       (map #(str/split % #"::="))
       (map (fn [[head body]]
              [(parse-symbol (str/trim head))
               (mapv #(mapv parse-symbol (str/split (str/trim %) #"\s+"))
                     (str/split body #"\|"))]))
       (into {})))

(def grammar (parse-grammar bnf))

(defn generate [grammar sym]
  (if (string? sym)
    [[sym]]
    (for [alternative (grammar sym)
          words (reduce (fn [prefixes s]
                          (for [p prefixes, g (generate grammar s)] (into p g)))
                        [[]]
                        alternative)]
      words)))

(defn parse-as
  "All ways to read a prefix of the words as a symbol: [tree rest] pairs."
  [grammar sym words]
  (if (string? sym)
    (when (= sym (first words)) [[sym (rest words)]])
    (for [alt (grammar sym)
          [children left] (reduce (fn [partials s]
                                    (for [[cs ws] partials
                                          [tree more] (parse-as grammar s ws)]
                                      [(conj cs tree) more]))
                                  [[[] words]]
                                  alt)]
      [(into [sym] children) left])))

(defn parse-sentence [s]
  (->> (str/split s #" ")
       (parse-as grammar :sentence)
       (filter (comp empty? second))
       ffirst))

;; Chomsky normal form: {[left right] parent}, {word parent}
(def cnf-pairs {[:S :B] #{:A} [:A :B] #{:S} [:A :A] #{:B}})
(def cnf-words {\a #{:A :S} \b #{:B}})

(def cyk
  (memoize
   (fn [word]
     (if (= 1 (count word))
       (cnf-words (first word))
       (apply set/union #{}
              (for [i (range 1 (count word))
                    l (cyk (subs word 0 i))
                    r (cyk (subs word i))]
                (cnf-pairs [l r])))))))

(println (parse-sentence "the cat sees the dog"))
(doseq [s (take 3 (generate grammar :sentence))]
  (println (str/join " " s)))

{:count  (count (generate grammar :sentence))
 :longest (apply max (map count (generate grammar :sentence)))
 :fails  (parse-sentence "the cat the dog")
 :rules  (update-vals grammar count)
 :cyk    (for [w ["a" "ab" "aab" "aaab" "bb"]] [w (contains? (cyk w) :S)])
 :terminals (sort (filter string? (flatten (vals grammar))))}
