;; Read s-expressions by hand into data, and print them again by a protocol extended to the host's types.
(defn read-form [[tok & more]]
  (case tok
    "(" (loop [items [], more more]
          (if (= ")" (first more))
            [(apply list items) (rest more)]
            (let [[x more] (read-form more)] (recur (conj items x) more))))
    "[" (loop [items [], more more]
          (if (= "]" (first more))
            [items (rest more)]
            (let [[x more] (read-form more)] (recur (conj items x) more))))
    "'" (let [[x more] (read-form more)] [(list 'quote x) more])
    [(cond
       (re-matches #"-?\d+" tok) (Long/parseLong tok)
       (re-matches #"-?\d+\.\d+" tok) (Double/parseDouble tok)
       (= \" (first tok)) (subs tok 1 (dec (count tok)))
       (= \: (first tok)) (keyword (subs tok 1))
       (#{"true" "false"} tok) (Boolean/parseBoolean tok)
       (= "nil" tok) nil
       :else (symbol tok))
     more]))

(defn read-all [text]
  (loop [tokens (re-seq #"\"[^\"]*\"|[()\[\]']|[^\s()\[\]']+" text), forms []]
    (if (empty? tokens)
      forms
      (let [[form more] (read-form tokens)]
        (recur more (conj forms form))))))

(defprotocol Show (show [x]))

(extend-protocol Show
  nil (show [_] "nil")
  Long (show [n] (str n))
  Double (show [d] (format "%.2f" d))
  String (show [s] (str \" s \"))
  Boolean (show [b] (if b "#t" "#f"))
  clojure.lang.Keyword (show [k] (str "'" (name k)))
  clojure.lang.Symbol (show [s] (name s))
  clojure.lang.IPersistentVector (show [v] (str "#(" (clojure.string/join " " (map show v)) ")"))
  clojure.lang.ISeq (show [xs] (if (= 'quote (first xs))
                                 (str "'" (show (second xs)))
                                 (str "(" (clojure.string/join " " (map show xs)) ")"))))

(def text "(define (area r) (* 3.14159 r r)) '(a b) [1 :two \"three four\" nil true] -7")

(let [forms (read-all text)]
  (run! (comp println show) forms)
  {:count  (count forms)
   :eval   (eval (list 'let ['r 2] (nth (first forms) 2)))
   :quoted (second (second forms))
   :vector (nth forms 2)
   :types  (map #(cond (list? %) :list (vector? %) :vector :else :atom) forms)
   :flat   (filter symbol? (flatten forms))})
