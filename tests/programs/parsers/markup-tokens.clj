; Parse simple XML into nested vectors with a stack of open elements, and select parts by path.
(ns xml.tiny
  (:require [clojure.string :as str]))

(def token-re #"<!--.*?-->|<[^>]+>|[^<]+")

(defn parse-attrs [s]
  (into {} (for [[_ k v] (re-seq #"(\w+)=\"([^\"]*)\"" s)]
             [(keyword k) v])))

(defn unescape [s]
  (reduce (fn [s [from to]] (str/replace s from to))
          s
          [["&lt;" "<"] ["&gt;" ">"] ["&quot;" "\""] ["&amp;" "&"]]))

(defn classify [token]
  (or (when (str/starts-with? token "<!--") {:type :comment})
      (when-let [[_ tag] (re-matches #"</(\w+)\s*>" token)]
        {:type :close :tag (keyword tag)})
      (when-let [[_ tag attrs slash] (re-matches #"<(\w+)((?:\s+\w+=\"[^\"]*\")*)\s*(/?)>" token)]
        {:type (if (= "/" slash) :empty :open) :tag (keyword tag) :attrs (parse-attrs attrs)})
      (when-not (str/starts-with? token "<")
        {:type :text :text (unescape (str/trim token))})
      (throw (ex-info "bad token" {:token token}))))

(defn add [stack node]
  (conj (pop stack) (conj (peek stack) node)))

(defn step [stack {:keys [type tag attrs text]}]
  (case type
    :comment stack
    :text  (if (str/blank? text) stack (add stack text))
    :empty (add stack [tag attrs])
    :open  (conj stack [tag attrs])
    :close (let [node (peek stack)]
             (if (= tag (first node))
               (add (pop stack) node)
               (throw (ex-info (str "expected </" (name (first node)) ">, found </" (name tag) ">") {:open (mapv first stack)}))))))

(defn parse [text]
  (let [[root & others] (->> (re-seq token-re text)
                             (map classify)
                             (reduce step [[:document {}]]))]
    (if (seq others)
      (throw (ex-info "not closed" {:tags (map first others)}))
      (get root 2))))

(defn select [nodes [tag & path]]
  (let [found (for [n nodes child (drop 2 n) :when (and (vector? child) (= tag (first child)))] child)]
    (if path (recur found path) found)))

(defn emit [node]
  (if (string? node)
    node
    (let [[tag attrs & content] node
          open (str/join " " (cons (name tag) (for [[k v] attrs] (str (name k) "=" (pr-str v)))))]
      (if (empty? content)
        (str "<" open "/>")
        (str "<" open ">" (str/join (map emit content)) "</" (name tag) ">")))))

(def doc (parse "<lib name=\"City\">
  <!-- books -->
  <book id=\"1\"><title>Dune &amp; more</title><pages>412</pages></book>
  <book id=\"2\"><title>Emma</title><pages>320</pages></book>
  <closed/>
</lib>"))

(println (emit doc))

{:titles (map last (select [doc] [:book :title]))
 :pages  (transduce (map (comp parse-long peek)) + (select [doc] [:book :pages]))
 :ids    (map (comp :id second) (select [doc] [:book]))
 :depth  (->> doc (tree-seq vector? #(drop 2 %)) (remove string?) count)
 :errors (for [s ["<a><b></a>" "<a>" "<a 1>"]]
           (try (parse s) (catch Exception e [(ex-message e) (ex-data e)])))}
