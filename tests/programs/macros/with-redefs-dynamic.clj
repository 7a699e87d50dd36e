;; Dynamic configuration, with-redefs of own functions and memoized services.
(ns svc.app
  (:require [clojure.string :as str]
            [clojure.walk :refer [keywordize-keys stringify-keys]]))

(def ^:dynamic *user* nil)
(def ^{:dynamic true :doc "Level of indentation."} *depth* 0)
(def hits (atom {}))

(defn fetch-rate [cur] (swap! hits update cur (fnil inc 0)) ({"EUR" 1.1M "GBP" 1.3M} cur))
(def rate (memoize (fn [c] (fetch-rate c))))
(defn convert [amount cur]
  (if-let [r (rate cur)] (* amount r)
          (throw (ex-info (str "No rate for " cur) {:cur cur :user *user*} (RuntimeException. "lookup")))))

(defmacro indented [& body]
  `(binding [*depth* (inc *depth*)] ~@body))
(defn say [& xs] (println (str (str/join (repeat *depth* "  ")) (str/join " " xs))))

(defn walk-tree [[label & kids]]
  (say label)
  (indented (doseq [k kids] (walk-tree k))))

(walk-tree [:root [:a [:b]] [:c]])
(binding [*user* "ann"]
  (set! *user* (str/upper-case *user*))
  (say *user* (convert 10M "EUR") (convert 1M "EUR")))

(def bound (binding [*user* "carl"] (bound-fn [] *user*)))
(def conveyed (binding [*user* "dora"] (doall (map (fn [_] *user*) [1 2]))))

(array-map
 :hits @hits
 :redef (with-redefs [fetch-rate (constantly 2M)] (rate "USD"))
 :after (fetch-rate "USD")
 :cached (rate "USD")
 :err (try (binding [*user* "bob"] (convert 1M "XXX"))
           (catch clojure.lang.ExceptionInfo e
             {:msg (ex-message e) :data (ex-data e) :cause (ex-message (ex-cause e)) :cls (class (ex-cause e))}))
 :bound (bound) :conveyed conveyed :outer *user*
 :var-meta (select-keys (meta #'*depth*) [:dynamic :doc :name])
 :walk (keywordize-keys {"a" {"b" [{"c" 1}]}})
 :str (stringify-keys {:a {:b 1}})
 :ns (str *ns*) :kw ::x
 :var-get (var-get #'*depth*) :deref @#'*depth* :qualified `rate
 :alter (do (alter-var-root #'convert (fn [f] (fn [& args] [:wrapped (apply f args)]))) (convert 2M "GBP")))
