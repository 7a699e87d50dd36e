; A JSON parser and writer by hand, with positions in its errors.
(ns json.mini
  (:require [clojure.string :as str]))

(defn fail [pos msg]
  (throw (ex-info (str msg " at " pos) {:pos pos})))

(defn skip-ws [^String s pos]
  (if (and (< pos (count s)) (Character/isWhitespace (.charAt s pos)))
    (recur s (inc pos))
    pos))

(declare parse-value)

(defn parse-string [s pos]
  (loop [pos (inc pos), sb (StringBuilder.)]
    (if (>= pos (count s))
      (fail pos "unterminated string")
      (let [c (nth s pos)]
        (case c
          \" [(str sb) (inc pos)]
          \\ (let [e (nth s (inc pos) nil)]
               (if (= e \u)
                 (recur (+ pos 6) (.append sb (char (Integer/parseInt (subs s (+ pos 2) (+ pos 6)) 16))))
                 (recur (+ pos 2) (.append sb (get {\n \newline \t \tab \r \return \b \backspace} e e)))))
          (recur (inc pos) (.append sb c)))))))

(defn parse-number [s pos]
  (let [text (re-find #"^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?" (subs s pos))]
    (when-not text (fail pos "unexpected character"))
    [(if (re-find #"[.eE]" text) (Double/parseDouble text) (Long/parseLong text))
     (+ pos (count text))]))

(defn parse-many [s pos close item]
  (let [start (skip-ws s (inc pos))]
    (if (= close (get s start))
      [[] (inc start)]
      (loop [pos start, items []]
        (let [[x pos] (item s pos)
              pos (skip-ws s pos)
              c   (get s pos)
              items (conj items x)]
          (cond
            (= c \,)    (recur (skip-ws s (inc pos)) items)
            (= c close) [items (inc pos)]
            :else       (fail pos (str "expected , or " close))))))))

(defn parse-entry [s pos]
  (when (not= \" (get s pos)) (fail pos "expected a key"))
  (let [[k pos] (parse-string s pos)
        pos (skip-ws s pos)]
    (when (not= \: (get s pos)) (fail pos "expected :"))
    (let [[v pos] (parse-value s (inc pos))]
      [[(keyword k) v] pos])))

(defn parse-value [s pos]
  (let [pos (skip-ws s pos)
        literal (some (fn [[text v]] (when (str/starts-with? (subs s pos) text) [v (+ pos (count text))]))
                      [["true" true] ["false" false] ["null" nil]])]
    (or literal
        (case (get s pos)
          \{ (update (parse-many s pos \} parse-entry) 0 #(into {} %))
          \[ (parse-many s pos \] parse-value)
          \" (parse-string s pos)
          nil (fail pos "unexpected end")
          (parse-number s pos)))))

(defn parse [s]
  (let [[v pos] (parse-value s 0)
        end (skip-ws s pos)]
    (if (= end (count s)) v (fail end "trailing text"))))

(defn write [x]
  (cond
    (nil? x)     "null"
    (string? x)  (str \" (str/escape x {\" "\\\"" \\ "\\\\" \newline "\\n"}) \")
    (keyword? x) (write (name x))
    (map? x)     (str "{" (str/join "," (for [[k v] x] (str (write k) ":" (write v)))) "}")
    (coll? x)    (str "[" (str/join "," (map write x)) "]")
    :else        (str x)))

(def sample "{\"name\": \"Ann \\\"A\\\" \\u00e9\", \"tags\": [\"x\", [], {}], \"n\": -12.5e2, \"ok\": true, \"none\": null}")

(println (write (parse sample)))

[(parse sample)
 (= (parse sample) (parse (write (parse sample))))
 (for [bad ["[1, 2" "{\"a\" 1}" "[1] x" "" "\"abc" "{1: 2}" "@"]]
   (try (parse bad) (catch clojure.lang.ExceptionInfo e (ex-message e))))]
