; Read lines from a text as from a file: headers, records, a running state and resources that are closed.
(ns line.reader
  (:require [clojure.string :as str]
            [clojure.java.io :as io]
            [clojure.edn :as edn])
  (:import (java.io BufferedReader StringReader)))

(def text "# version 2
@meta {:author \"Ann\" :tags #{:x}}

item pen 3
item book 1
skip me
item lamp two
end
item never 9")

(defn parse-line [line]
  (let [[word & args] (str/split (str/trim line) #"\s+")]
    (case word
      "#"     [:comment (str/join " " args)]
      "@meta" [:meta (edn/read-string (subs line 6))]
      "item"  (let [[n q] args]
                (if-some [q (parse-long q)]
                  [:item {:name n :qty q}]
                  [:error (str "bad quantity " (pr-str q) " of " n)]))
      "end"   [:end]
      ""      nil
      [:unknown word])))

(defn read-records [reader]
  (->> (line-seq reader)
       (map parse-line)
       (remove nil?)
       (take-while #(not= [:end] %))
       (reduce (fn [acc [kind value]]
                 (case kind
                   :item  (update acc :items conj value)
                   :meta  (merge acc value)
                   :error (update acc :errors (fnil conj []) value)
                   (update acc :other (fnil conj []) kind)))
               {:items []})))

(with-open [r (BufferedReader. (StringReader. text))]
  (let [result (read-records r)]
    (doseq [{:keys [name qty]} (:items result)]
      (println name "x" qty))
    (when-let [errors (seq (:errors result))]
      (println "errors:" (count errors)))
    (assoc (select-keys result [:items :author :other])
           :lines (count (str/split-lines text))
           :slurped (count (slurp (StringReader. "abc")))
           :read (read-string "(+ 1 2)")
           :with-in (with-in-str "typed\nmore" [(read-line) (read-line) (read-line)]))))
