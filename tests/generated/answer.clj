;; Answers sessions of programs, a line each: turns lie between tabs, an answer is a value as readable text, or `!` and
;; the words of an error.
;; A turn that fails leaves definitions and atoms as they were before it, as in the runtime.
(ns answer
  (:require clojure.string clojure.set clojure.walk clojure.edn)
  (:import (clojure.lang LineNumberingPushbackReader Var)
           (java.io BufferedReader InputStreamReader PrintWriter StringReader StringWriter)))

(def ^:dynamic *atoms* nil)

(defn noted-atom [& args]
  (let [a (apply clojure.core/atom args)]
    (clojure.core/swap! *atoms* conj a)
    a))

(defn fresh-ns []
  (remove-ns 'user)
  (let [n (create-ns 'user)]
    (binding [*ns* n]
      (refer 'clojure.core :exclude '[atom])
      (intern n 'atom noted-atom)
      (doseq [[a s] '{str clojure.string, string clojure.string, set clojure.set, walk clojure.walk, edn clojure.edn}]
        (alias a s)))
    n))

(defn own-vars [n]
  (for [[sym v] (ns-map n) :when (and (var? v) (= n (.ns ^Var v)))] [sym v]))

(defn held
  "What a failed turn is taken back to."
  [n]
  {:vars (into {} (for [[sym ^Var v] (own-vars n)] [sym (when (.hasRoot v) [(.getRawRoot v)])]))
   :atoms (mapv (fn [a] [a @a]) @*atoms*)})

(defn take-back [n {:keys [vars atoms]}]
  (doseq [[sym ^Var v] (own-vars n)]
    (if-let [[_ root] (find vars sym)]
      (if root (.bindRoot v (first root)) (.unbindRoot v))
      (ns-unmap n sym)))
  (doseq [[a x] atoms] (reset! a x)))

(defn words
  "Which error it was: its class, and the beginning of what it says."
  [e]
  (let [e (last (take-while some? (iterate ex-cause e)))
        text (str (.getSimpleName (class e)) " " (ex-message e))]
    (clojure.string/replace (subs text 0 (min 60 (count text))) #"\s" " ")))

(defn turn [n program]
  (let [before (held n)]
    (try
      (let [in (LineNumberingPushbackReader. (StringReader. program))]
        (loop [v nil]
          (let [form (read {:eof ::eof} in)]
            (if (= form ::eof)
              (pr-str v)
              (recur (eval form))))))
      (catch ThreadDeath e (throw e))
      (catch Throwable e
        (take-back n before)
        (str "!" (words e))))))

(defn session [line]
  (let [programs (clojure.string/split line #"\t" -1)
        sink (PrintWriter. (StringWriter.))
        n (fresh-ns)]
    (binding [*ns* n, *out* sink, *err* sink, *print-namespace-maps* false, *atoms* (clojure.core/atom []),
              *warn-on-reflection* false]
      (clojure.string/join "\t" (mapv #(turn n %) programs)))))

(def seconds 20)

(defn answer
  "In a thread of its own, which is stopped when it takes too long."
  [line]
  (let [p (promise)
        t (Thread. nil (bound-fn [] (deliver p (try (session line) (catch Throwable _ nil)))) "session" (* 64 1024 1024))]
    (.start t)
    (or (deref p (* seconds 1000) nil)
        (do (.stop t)
            (clojure.string/join "\t" (map (constantly "timeout") (clojure.string/split line #"\t" -1)))))))

(let [in (BufferedReader. (InputStreamReader. System/in "UTF-8"))
      out (PrintWriter. System/out)]
  (loop []
    (when-let [line (.readLine in)]
      (.print out (answer line))
      (.print out "\n")
      (.flush out)
      (recur)))
  (System/exit 0))
