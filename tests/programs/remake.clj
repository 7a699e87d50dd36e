;; Makes the answers of these programs anew: `clojure tests/programs/remake.clj [TEXT ...]` from the project's top, with a
;; Clojure 1.11 (Debian: `apt-get install clojure`). With TEXTs only programs whose path contains one of them are run.
;; An answer is what the program prints, and then a line `=> ` with `pr-str` of its last value. Exits with 1 when a
;; program fails, and leaves the answer of that one as it was.
(ns remake
  (:require [clojure.java.io :as io]
            [clojure.string :as str])
  (:import [clojure.lang LineNumberingPushbackReader PersistentHashMap PersistentHashSet]
           [java.io File StringReader]
           [java.util Locale TimeZone]))

;; The same text on every machine.
(Locale/setDefault Locale/ROOT)
(TimeZone/setDefault (TimeZone/getTimeZone "UTC"))

(def folder (.getParentFile (io/file *file*)))

(def console *out*)

(defn path-of [^File file]
  (str/replace (str (.relativize (.toPath folder) (.toPath file))) "\\" "/"))

(def ours
  "Namespaces that were there before a program: what it makes besides is taken away after it."
  (atom #{}))

(defn fresh-user
  "The namespace `user` as it is when Clojure starts, with clojure.core alone."
  []
  (alter-var-root #'clojure.core/global-hierarchy (constantly (make-hierarchy)))
  (doseq [n (all-ns) :when (not (@ours (ns-name n)))] (remove-ns (ns-name n)))
  (remove-ns 'user)
  (let [n (create-ns 'user)]
    (binding [*ns* n] (clojure.core/refer 'clojure.core))
    n))

(defn realize
  "Makes all of a lazy value, so that what it prints stands before it."
  [value]
  (dorun (tree-seq coll? seq value))
  value)

(defn warn-of-order
  "Says when a value holds maps or sets that print in the order of their hashes."
  [value file]
  (when-let [found (first (filter #(and (or (instance? PersistentHashMap %) (instance? PersistentHashSet %)) (next %))
                                  (tree-seq coll? seq value)))]
    (println "order of hashes:" (path-of file) found)))

(defn run
  "The text of the answer of a program."
  [^File file]
  (let [out (java.io.StringWriter.)
        in (LineNumberingPushbackReader. (StringReader. (slurp file)))
        value (binding [*ns* (fresh-user)
                        *out* out
                        *file* (path-of file)
                        *warn-on-reflection* false
                        ; As when Clojure is no REPL: namespaced keys are written out.
                        *print-namespace-maps* false
                        *1 nil *2 nil *3 nil *e nil]
                (loop [value nil]
                  (let [form (read {:eof ::end :read-cond :allow} in)]
                    (if (= form ::end)
                      (do (realize value)
                          (binding [*out* console] (warn-of-order value file))
                          (pr-str value))
                      (recur (eval form))))))
        printed (str out)]
    (str printed
         (when-not (or (empty? printed) (str/ends-with? printed "\n")) "\n")
         "=> " value "\n")))

(defn programs [texts]
  (->> (file-seq folder)
       (filter #(and (.isFile ^File %) (str/ends-with? (.getName ^File %) ".clj")))
       (remove #(= (.getParentFile ^File %) folder))
       (filter (fn [file] (or (empty? texts) (some #(str/includes? (path-of file) %) texts))))
       (sort-by path-of)))

(defn remake
  "Writes the answer of one program: :same, :written or :failed."
  [^File file]
  (let [answer (io/file (str/replace (str file) #"\.clj$" ".out"))]
    (try
      (let [text (run file)]
        (if (and (.exists answer) (= text (slurp answer)))
          :same
          (do (spit answer text)
              (println "written" (path-of answer))
              :written)))
      (catch Throwable e
        (println "FAILED " (path-of file) "-" (or (ex-message (ex-cause e)) "") (ex-message e))
        :failed))))

(require 'clojure.set 'clojure.walk 'clojure.zip 'clojure.data 'clojure.edn 'clojure.pprint 'clojure.test 'clojure.math 'clojure.template
         'clojure.core.reducers 'clojure.java.io)
(reset! ours (set (map ns-name (all-ns))))
(let [counts (frequencies (map remake (programs *command-line-args*)))]
  (println (:same counts 0) "as they were," (:written counts 0) "written," (:failed counts 0) "failed")
  (shutdown-agents)
  (System/exit (if (:failed counts) 1 0)))
