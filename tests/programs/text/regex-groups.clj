; Extract data with regexes: matchers, groups, optional parts, replacement functions and flags.
(ns regex.groups
  (:require [clojure.string :as str]))

(def phone-re #"(?x) (?: \+ (\d{1,3}) [\s-]? )?   # country
                     \(? (\d{3}) \)? [\s-]?       # area
                     (\d{3}) - (\d{4})")

(defn parse-phone [s]
  (when-let [[whole country area a b] (re-find phone-re s)]
    {:country (or country "1") :number (str area a b) :length (count whole)}))

(def kv-re #"(?<key>\w+)=(?:\"(?<quoted>[^\"]*)\"|(?<plain>\S+))")

(defn parse-pairs [s]
  (into (array-map)
        (map (fn [[_ k quoted plain]] [(keyword k) (or quoted plain)]))
        (re-seq kv-re s)))

(defn named-group [s]
  (let [m (re-matcher kv-re s)]
    (when (.find m)
      [(.group m "key") (.group m "plain") (re-groups m)])))

(defn interpolate [template env]
  (str/replace template #"\$(\$|\w+)"
               (fn [[_ v]] (if (= v "$") "$" (str (get env v (str "?" v)))))))

(defn camel->words [s]
  (str/split s #"(?<=[a-z])(?=[A-Z])"))

(println (str/replace "2024-03-09" #"(\d+)-(\d+)-(\d+)" "$3.$2.$1"))
(println (str/replace "a.b.c" "." "$1"))
(println (str/replace "price" #"price" (str/re-quote-replacement "$5")))
(println (re-find #"(?i)hello" "say HELLO") (re-find #"(?m)^b.*$" "a1\nb2\nc3") (re-find #"(?s)a.b" "a\nb"))
(println (re-find #"<.+?>" "<a><b>") (re-find #"<.+>" "<a><b>"))

{:phones  (map parse-phone ["+49 (030) 123-4567" "555-123-4567" "none"])
 :pairs   (parse-pairs "name=\"Ann Lee\" age=42 city=Oslo")
 :named   (named-group "x=1 y=2")
 :text    (interpolate "Dear $name, you owe $$$amount to $who" {"name" "Bo" "amount" 5})
 :camel   (mapv camel->words ["parseHttpRequest" "x"])
 :split   [(str/split "a1b22c" #"\d+") (str/split "a,b,,," #",") (str/split "a,b,," #"," -1) (str/split "abc" #"")]
 :words   [(re-seq #"\b[\w']+\b" "don't stop: now!") (re-seq #"\p{L}+" "naïve café 42")]
 :back    (re-find #"(\w)\1" "hello")}
