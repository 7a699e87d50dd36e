; Macros that read infix arithmetic, time a pipeline's steps, and define parsers of records by a table.
(require '[clojure.string :as str])

(def precedence '{+ 1 - 1 * 2 / 2})

(defn infix->prefix [form]
  (if-not (seq? form)
    form
    (loop [[x & more] form, vals (), ops ()]
      (let [vals (conj vals (infix->prefix x))
            op   (first more)
            reduce-top (fn [[b a & vs] [o & os]] [(conj vs (list o a b)) os])
            [vals ops] (loop [vals vals ops ops]
                         (if (and (seq ops) (or (nil? op) (>= (precedence (first ops)) (precedence op))))
                           (let [[v o] (reduce-top vals ops)] (recur v o))
                           [vals ops]))]
        (if op
          (recur (rest more) vals (conj ops op))
          (first vals))))))

(defmacro infix [& form]
  (infix->prefix form))

(defmacro unless
  [condition & body]
  `(if ~condition nil (do ~@body)))

(defmacro spy [form]
  `(let [result# ~form]
     (println (str '~form) "=>" (pr-str result#))
     result#))

(defmacro defreader
  "Defines a function that reads fixed columns: (defreader name field [from to parse] ...)."
  [fname & fields]
  (let [line (gensym "line")]
    `(defn ~fname [~line]
       ~(into {}
              (for [[field [from to parse]] (partition 2 fields)]
                [(keyword field) `(~(or parse `identity) (str/trim (subs ~line ~from ~to)))])))))

(defreader read-person
  name [0 8]
  age  [8 11 parse-long]
  city [11 18 str/upper-case])

(defmacro with-retries [n & body]
  `(loop [left# ~n]
     (let [r# (try {:value (do ~@body)}
                   (catch Exception e# {:error (.getMessage e#)}))]
       (if (or (contains? r# :value) (<= left# 1))
         r#
         (recur (dec left#))))))

(def attempts (atom 0))

(defmacro my-and
  ([] true)
  ([x] x)
  ([x & more] `(let [x# ~x] (if x# (my-and ~@more) x#))))

[(infix 1 + 2 * 3 - 4 / 2)
 (infix (1 + 2) * (3 - 4))
 (let [x 5] (infix x * x + 1))
 (infix->prefix '(a + b * (c - d) + e))
 (spy (+ 1 (* 2 3)))
 (unless false :ran)
 (unless true (throw (Exception. "never")))
 (map read-person ["Ann      42Oslo   " "Bo        7Bergen "])
 (with-retries 3 (if (< (swap! attempts inc) 3) (throw (Exception. "not yet")) @attempts))
 (with-retries 2 (throw (IllegalStateException. "always")))
 [(my-and) (my-and 1 nil (throw (Exception. "no"))) (my-and 1 2 3)]
 (macroexpand-1 '(unless a b))]
