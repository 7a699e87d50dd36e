; A lexer made of mutually recursive state functions on a trampoline, for numbers, names and strings.
(declare start)

(defn emit [{:keys [tokens] :as st} kind text]
  (assoc st :tokens (conj tokens [kind text]) :buffer ""))

(defn in-number [{[c & more] :input :keys [buffer] :as st}]
  (if (and c (or (Character/isDigit c) (= c \.)))
    #(in-number (assoc st :input more :buffer (str buffer c)))
    #(start (emit st :number (if (some #{\.} buffer) (Double/parseDouble buffer) (Long/parseLong buffer))))))

(defn in-name [{[c & more] :input :keys [buffer] :as st}]
  (if (and c (or (Character/isLetterOrDigit c) (= c \_)))
    #(in-name (assoc st :input more :buffer (str buffer c)))
    #(start (if (contains? #{"if" "else" "while"} buffer)
              (emit st :keyword (keyword buffer))
              (emit st :name buffer)))))

(defn in-string [{[c & more] :input :keys [buffer] :as st}]
  (case c
    nil  (emit st :error "unterminated string")
    \"   #(start (-> st (assoc :input more) (emit :string buffer)))
    \\   #(in-string (assoc st :input (rest more) :buffer (str buffer (case (first more) \n \newline \t \tab (first more)))))
    #(in-string (assoc st :input more :buffer (str buffer c)))))

(defn start [{[c & more] :input :as st}]
  (cond
    (nil? c)                      (:tokens st)
    (Character/isWhitespace c)    #(start (assoc st :input more))
    (Character/isDigit c)         #(in-number st)
    (Character/isLetter c)        #(in-name st)
    (= \" c)                      #(in-string (assoc st :input more))
    (contains? (set "+-*/=<>(){};") c) #(start (-> st (assoc :input more) (emit :op (str c))))
    :else                         #(start (-> st (assoc :input more) (emit :error (str "unexpected " c))))))

(defn lex [s]
  (let [r (trampoline start {:input (seq s) :tokens [] :buffer ""})]
    (if (map? r) (:tokens r) r)))

(doseq [[kind value] (lex "while (x1 < 10.5) { name = \"a\\\"b\\n\"; }")]
  (println (format "%-8s %s" (name kind) (pr-str value))))

(letfn [(my-even? [n] (if (zero? n) true #(my-odd? (dec n))))
        (my-odd? [n] (if (zero? n) false #(my-even? (dec n))))]
  {:even   (trampoline my-even? 20001)
   :long   (count (lex (apply str (repeat 500 "a1 + "))))
   :errors (filter (comp #{:error} first) (lex "a ? b \"open"))
   :kinds  (frequencies (map first (lex "if a else b 1 2 3")))})
