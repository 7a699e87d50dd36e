; Parse a settings file in the style of TOML, line by line through a reader, into nested maps with typed values.
(ns settings.reader
  (:require [clojure.edn :as edn]
            [clojure.java.io :as io]
            [clojure.string :as str]))

(def source
  "title = \"Demo\"   # the name
debug = true
ratio = 0.75

[server]
host = \"localhost\"
ports = [8000, 8001,
  8002]

[server.limits]
max = 1_000
# a comment line
[[users]]
name = \"ann\"
[[users]]
name = \"bob\"
admin = true")

(defn strip-comment [line]
  (let [[in-quotes? at] (reduce (fn [[q i] c]
                                  (cond (= c \") [(not q) (inc i)]
                                        (and (= c \#) (not q)) (reduced [q i])
                                        :else [q (inc i)]))
                                [false 0] line)]
    (str/trim (subs line 0 at))))

(defn join-arrays [lines]
  (->> lines
       (reduce (fn [[done pending] line]
                 (let [text (str pending line)
                       open (- (count (filter #{\[} text)) (count (filter #{\]} text)))]
                   (if (pos? open) [done (str text " ")] [(conj done text) ""])))
               [[] ""])
       first))

(defn value [s]
  (cond
    (re-matches #"-?[\d_]+" s) (parse-long (str/replace s "_" ""))
    (str/starts-with? s "[") (mapv value (map str/trim (str/split (subs s 1 (dec (count s))) #",")))
    :else (edn/read-string s)))

(defn add-line [{:keys [path] :as state} line]
  (condp re-matches line
    #"\[\[(.+)\]\]" :>> (fn [[_ k]]
                          (let [k (keyword k)
                                n (count (get-in state [:data k]))]
                            (-> state (update-in [:data k] (fnil conj []) {}) (assoc :path [k n]))))
    #"\[(.+)\]" :>> (fn [[_ ks]] (assoc state :path (mapv keyword (str/split ks #"\."))))
    #"(\w+)\s*=\s*(.+)" :>> (fn [[_ k v]] (assoc-in state (into [:data] (conj path (keyword k))) (value v)))
    (update state :errors (fnil conj []) line)))

(defn parse [rdr]
  (->> (line-seq rdr)
       (map strip-comment)
       (remove str/blank?)
       join-arrays
       (reduce add-line {:data {} :path []})))

(let [{:keys [data errors]} (with-open [r (io/reader (char-array source))] (parse r))]
  (println (:title data) (get-in data [:server :host]))
  {:data   data
   :errors errors
   :admins (mapv :name (filter :admin (:users data)))
   :bad    (:errors (parse (io/reader (java.io.BufferedReader. (java.io.StringReader. "a = 1\n???")))))})
