;; Answers sessions of programs, a line each: turns lie between tabs, an answer is a value as readable text, or `!` and
;; the words of an error.
;; A turn that fails leaves definitions, methods, derivations, types and atoms as they were before it, as in the runtime.
(ns answer
  (:require clojure.string clojure.set clojure.walk clojure.edn clojure.zip clojure.data)
  (:import (clojure.lang Atom LineNumberingPushbackReader MultiFn Namespace Var)
           (java.io BufferedReader InputStreamReader PrintWriter StringReader StringWriter)))

(def ^:dynamic *atoms* nil)

(defn noted-atom [& args]
  (let [a (apply clojure.core/atom args)]
    (clojure.core/swap! *atoms* conj a)
    a))

(defn own-vars [n]
  (for [[sym v] (ns-map n) :when (and (var? v) (= n (.ns ^Var v)))] [sym v]))

;; Classes of records, types and protocols: Clojure finds them by name, in its own table as well as in the namespace.
(def ^java.util.Map class-table
  (let [f (.getDeclaredField clojure.lang.DynamicClassLoader "classCache")]
    (.setAccessible f true)
    (.get f nil)))

(defn own-classes []
  (into {} (for [[name ^java.lang.ref.Reference r] class-table
                 :when (clojure.string/starts-with? name "user.")
                 :let [c (.get r)]
                 :when c]
             [name c])))

(defn own-imports [n]
  (into {} (for [[sym c] (ns-map n) :when (and (class? c) (clojure.string/starts-with? (.getName ^Class c) "user."))]
             [sym c])))

(defn set-classes [classes]
  (doseq [name (keys (own-classes))] (.remove class-table name))
  (doseq [[name c] classes] (.put class-table name (java.lang.ref.SoftReference. c))))

(defn forget-classes
  "Those of the session before, also of its functions: each look at the table passes over all that is in it."
  []
  (doseq [^String name (keys class-table) :when (.startsWith name "user")] (.remove class-table name)))

(defn root [^Var v] (when (.hasRoot v) (.getRawRoot v)))

(def first-hierarchy @#'clojure.core/global-hierarchy)

(defn set-hierarchy [h] (alter-var-root #'clojure.core/global-hierarchy (constantly h)))

(defn held
  "What a failed turn is taken back to."
  [n]
  {:vars (into {} (for [[sym ^Var v] (own-vars n)] [sym [(when (.hasRoot v) [(.getRawRoot v)]) (meta v)]]))
   :methods (vec (for [[_ v] (own-vars n) :let [m (root v)] :when (instance? MultiFn m)] [m (methods m) (prefers m)]))
   :hierarchy @#'clojure.core/global-hierarchy
   :imports (own-imports n)
   :classes (own-classes)
   :atoms (mapv (fn [^Atom a] [a @a (.getWatches a) (.getValidator a) (meta a)]) @*atoms*)})

(defn take-back [^Namespace n {:keys [vars atoms imports classes hierarchy] :as before}]
  (doseq [[sym ^Var v] (own-vars n)]
    (if-let [[root m] (get vars sym)]
      (do (if root (.bindRoot v (first root)) (.unbindRoot v))
          (reset-meta! v m))
      (ns-unmap n sym)))
  (set-classes classes)
  (doseq [[sym _] (own-imports n)]
    (if-let [c (get imports sym)] (.importClass n sym c) (ns-unmap n sym)))
  (set-hierarchy hierarchy)
  (doseq [[^MultiFn m methods prefers] (:methods before)]
    (.reset m)
    (doseq [[k f] methods] (.addMethod m k f))
    (doseq [[x ys] prefers, y ys] (.preferMethod m x y)))
  ;; Functions of protocols remember which method they found for a class.
  (doseq [[_ v] (own-vars n) :let [p (root v)] :when (and (map? p) (not (sorted? p)) (:on-interface p))] (-reset-methods p))
  (doseq [[^Atom a x watches validator m] atoms]
    (doseq [k (keys (.getWatches a))] (remove-watch a k))
    (set-validator! a nil)
    (reset! a x)
    (set-validator! a validator)
    (doseq [[k f] watches] (add-watch a k f))
    (reset-meta! a m)))

(defn fresh-ns []
  (remove-ns 'user)
  (forget-classes)
  (set-hierarchy first-hierarchy)
  (let [n (create-ns 'user)]
    (binding [*ns* n]
      (refer 'clojure.core :exclude '[atom])
      (intern n 'atom noted-atom)
      (doseq [[a s] '{str clojure.string, string clojure.string, set clojure.set, walk clojure.walk, edn clojure.edn}]
        (alias a s)))
    n))

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
              (clojure.string/replace (pr-str v) #"\n" " ")
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

(def seconds 60)

(defn answer
  "In a thread of its own, which is stopped when it takes too long."
  [line]
  (let [p (promise)
        t (Thread. nil (bound-fn [] (deliver p (try (session line) (catch Throwable e (.printStackTrace e) nil)))) "session" (* 64 1024 1024))]
    (.setDaemon t true)
    (.start t)
    (or (deref p (* seconds 1000) nil)
        (do (try (.stop t) (catch UnsupportedOperationException _ nil)) ; newer ones cannot
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
