; Parser combinators made of closures, and a parser for key-value lists with nested arrays built from them.
(ns parsec
  (:refer-clojure :exclude [char])
  (:require [clojure.string :as str]))

;; A parser takes a sequence of characters and gives [value rest], or nil.
(defn succeed [v] (fn [in] [v in]))

(defn satisfy [pred]
  (fn [[c & more]]
    (when (and c (pred c)) [c more])))

(defn char [c] (satisfy #{c}))

(defn bind [p f]
  (fn [in]
    (when-let [[v more] (p in)]
      ((f v) more))))

(defn fmap [f p] (bind p (comp succeed f)))

(defn choice [& ps] (fn [in] (some #(% in) ps)))

(defn chain [& ps]
  (reduce (fn [acc p] (bind acc (fn [vs] (fmap #(conj vs %) p))))
          (succeed []) ps))

(defn many [p]
  (fn [in]
    (loop [vs [] in in]
      (if-let [[v more] (p in)]
        (recur (conj vs v) more)
        [vs in]))))

(defn many1 [p] (fmap (fn [[v vs]] (into [v] vs)) (chain p (many p))))

(defn sep-by [p sep]
  (choice (fmap (fn [[v vs]] (into [v] (map second) vs))
                (chain p (many (chain sep p))))
          (succeed [])))

(defn between [open close p] (fmap second (chain open p close)))

(def spaces (many (satisfy #(Character/isWhitespace %))))
(defn token [p] (fmap first (chain p spaces)))
(defn sym [c] (token (char c)))

(defmacro lazy-parser [p] `(fn [in#] (~p in#)))

(declare value)

(def number (token (fmap #(Long/parseLong (apply str %)) (many1 (satisfy #(Character/isDigit %))))))
(def word (token (fmap str/join (many1 (satisfy #(Character/isLetter %))))))
(def array (between (sym \[) (sym \]) (sep-by (lazy-parser value) (sym \,))))
(def pair (fmap (fn [[k _ v]] [(keyword k) v]) (chain word (sym \=) (lazy-parser value))))
(def object (fmap (partial into {}) (between (sym \{) (sym \}) (sep-by pair (sym \;)))))
(def value (choice number array object (fmap symbol word)))

(defn parse [p s]
  (let [[v more :as result] (p (seq s))]
    (cond
      (nil? result) :no-parse
      (seq more)    [:left-over (apply str more)]
      :else         v)))

(doseq [s ["42" "[1, 2, [3]]" "{a = 1; b = [x, y]; c = {}}" "[1, 2" "{a = }" "12 ab"]]
  (println s "->" (parse value s)))

{:pairs   (parse (sep-by pair (sym \;)) "x = 1; y = two")
 :many    ((many (char \a)) "aab")
 :nothing (parse (many1 (char \a)) "b")
 :upper   (parse (fmap str/upper-case word) "hello")
 :deep    (parse value (str (apply str (repeat 20 "[")) "7" (apply str (repeat 20 "]"))))}
