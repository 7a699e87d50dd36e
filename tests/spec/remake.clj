;; Asks Clojure 1.11 for the answers of the conformance files; README.md beside this file tells how to run it.
(ns remake
  (:require [clojure.string :as str] [clojure.java.io :as io]
            clojure.set clojure.walk clojure.edn
            ;; What programs require is loaded once: namespaces that came later are removed between blocks.
            clojure.data clojure.data.csv clojure.zip clojure.pprint clojure.instant clojure.math)
  (:import (clojure.lang LineNumberingPushbackReader)
           (java.io File StringReader StringWriter PrintWriter)))

;; ---- reading the Markdown

(defn expectation
  "[:value text] for `;=> text`, [:error words] for `;!! words`, else nil."
  [line]
  (cond (str/starts-with? line ";=>") [:value (str/trim (subs line 3))]
        (str/starts-with? line ";!!") [:error (str/trim (subs line 3))]))

(defn theirs
  "The same of a line that says what Clojure answers where we differ: `;clj=> text`, `;clj!! words`."
  [line]
  (when (str/starts-with? line ";clj") (expectation (str ";" (subs line 4)))))

(defn blocks
  "The fenced blocks of a file: {:heading :info :line :chunks [{:src :line :want}]}, lines counted from 0.
  The last chunk of a block has no :want when set-up follows the last expectation."
  [lines]
  (loop [i 0, heading nil, block nil, src [], out []]
    (if (= i (count lines))
      out
      (let [line (nth lines i), next-i (inc i)]
        (cond
          (and (nil? block) (str/starts-with? line "```"))
          (recur next-i heading {:heading heading :info (str/trim (subs line 3)) :line i :chunks []} [] out)

          (nil? block)
          (recur next-i (if (str/starts-with? line "## ") (str/trim (subs line 3)) heading) nil [] out)

          (str/starts-with? line "```")
          (recur next-i heading nil []
                 (conj out (cond-> block
                             (some (complement str/blank?) src)
                             (update :chunks conj {:src (str/join "\n" src) :line i}))))

          (theirs line)
          (recur next-i heading (update block :chunks #(conj (pop %) (assoc (peek %) :theirs (theirs line)))) [] out)

          (expectation line)
          (recur next-i heading
                 (update block :chunks conj {:src (str/join "\n" src) :line i :want (expectation line)}) [] out)

          :else (recur next-i heading block (conj src line) out))))))

;; ---- asking Clojure

(def own-namespaces (set (map ns-name (all-ns))))

(defn fresh-user []
  (doseq [n (map ns-name (all-ns)) :when (not (own-namespaces n))] (remove-ns n))
  (remove-ns 'user)
  (let [ns (create-ns 'user)]
    (binding [*ns* ns]
      (refer 'clojure.core)
      (doseq [[a n] '{str clojure.string, string clojure.string, set clojure.set, walk clojure.walk, edn clojure.edn, csv clojure.data.csv}]
        (alias a n)))
    ns))

(defn messages [e]
  (str/join " | " (keep ex-message (take-while some? (iterate ex-cause e)))))

(defn answer
  "[:value text], [:error message], or [:setup message] when a form before the last one fails."
  [src]
  (let [in (LineNumberingPushbackReader. (StringReader. src))
        next-form #(read {:eof ::eof} in)]
    (try
      (loop [last-value ::none, form (next-form)]
        (if (= form ::eof)
          (if (= last-value ::none) [:setup "no form before the expectation"] [:value (pr-str last-value)])
          (let [[ok v] (try [true (eval form)] (catch Throwable e [false e]))
                following (next-form)]
            (cond ok (recur v following)
                  (= following ::eof) [:error (messages v)]
                  :else [:setup (messages v)]))))
      (catch Throwable e [:error (messages e)]))))

(defn answers
  "The block with :got in every chunk, evaluated in order in one new namespace."
  [block]
  (let [sink (PrintWriter. (StringWriter.))]
    (binding [*ns* (fresh-user), *out* sink, *err* sink, *print-namespace-maps* false, *warn-on-reflection* false]
      (update block :chunks (fn [cs] (mapv #(assoc % :got (answer (:src %))) cs))))))

(defn complaint
  "What is wrong with a chunk, or nil."
  [{:keys [want got]}]
  (let [[kind text] want, [got-kind got-text] got]
    (cond
      (= got-kind :setup) (str "set-up fails: " got-text)
      (nil? want) (when (= got-kind :error) (str "set-up fails: " got-text))
      (not= kind got-kind) (str "expected " (name kind) " " text ", Clojure gives " (name got-kind) " " got-text)
      (= kind :value) (when (not= text got-text) (str "expected " text ", Clojure gives " got-text))
      :else (when-not (str/includes? got-text text) (str "expected an error with: " text ", Clojure says: " got-text)))))

;; ---- the commands

(defn clojure-block? [b] (= (:info b) "clojure"))
(defn spec-block? [b] (contains? #{"clojure" "clojure ours"} (:info b)))

(defn check [^File file lines]
  (let [bs (blocks lines)
        twice (for [[h n] (frequencies (map :heading (filter spec-block? bs))) :when (> n 1)]
                (str (.getName file) ": heading used " n " times: " h))
        ;; Of a block that is ours Clojure is asked only where the file says what it answers.
        asked (fn [b] (cond->> (:chunks (answers b))
                        (not (clojure-block? b)) (keep #(when-let [t (:theirs %)] (assoc % :want t)))))
        told? (fn [b] (or (clojure-block? b) (some :theirs (:chunks b))))
        wrong (for [b bs :when (and (spec-block? b) (told? b)), c (asked b), :let [w (complaint c)] :when w]
                (str (.getName file) ":" (inc (:line c)) ": [" (:heading b) "] " w "\n    " (str/trim (:src c))))]
    (doseq [w (concat twice wrong)] (println w))
    (+ (count twice) (count wrong))))

(defn write [^File file lines]
  (let [filled (for [b (blocks lines) :when (and (clojure-block? b) (some #(= (:want %) [:value "?"]) (:chunks b)))
                     c (:chunks (answers b)) :when (= (:want c) [:value "?"])]
                 (let [[kind text] (:got c)]
                   (when-not (= kind :value)
                     (println (str (.getName file) ":" (inc (:line c)) ": " (name kind) " " text "\n    " (str/trim (:src c)))))
                   [(:line c) (case kind :value (str ";=> " text) :error ";!!" :setup ";=> ?")]))
        lines (reduce (fn [ls [i s]] (assoc ls i s)) lines filled)]
    (spit file (str (str/join "\n" lines) "\n"))
    0))

(defn tally [^File file lines]
  (let [bs (filter spec-block? (blocks lines))
        n #(count (filter :want (mapcat :chunks %)))]
    (println (format "%-28s %4d tests %5d expectations (%d ours)" (.getName file) (count bs) (n bs) (n (remove clojure-block? bs))))
    0))

(let [[command & names] *command-line-args*
      here (or (.getParentFile (.getAbsoluteFile (io/file *file*))) (io/file "."))
      files (if names
              (map io/file names)
              (sort (for [^File f (.listFiles ^File here)
                          :when (and (str/ends-with? (.getName f) ".md") (not= (.getName f) "README.md"))]
                      f)))
      run ({"--check" check, "--write" write, "--count" tally} command)]
  (if-not run
    (do (println "usage: remake.clj --check|--write|--count [files]") (System/exit 2))
    (let [bad (reduce + 0 (map #(run % (str/split-lines (slurp %))) files))]
      (flush)
      (shutdown-agents)
      (System/exit (if (zero? bad) 0 1)))))
