; Functions described by metadata: a registry of commands with help, private helpers, tags on data.
(ns commands
  (:require [clojure.string :as str]))

(defn ^{:command "add" :usage "x y"} add-command
  "Adds two numbers."
  {:since "1.0"}
  [x y]
  (+ x y))

(defn greet
  "Greets somebody, politely if asked to."
  {:command "greet" :since "1.1"}
  ([name] (greet name false))
  ([name polite?] (str (if polite? "Good day, " "Hi ") name)))

(defn- helper [] :hidden)

(def commands
  (into (sorted-map)
        (for [v [#'add-command #'greet]
              :let [m (meta v)]]
          [(:command m) v])))

(defn help []
  (doseq [[command v] commands
          :let [{:keys [doc arglists since]} (meta v)]]
    (println (format "%-6s %-24s since %s - %s" command (str/join " " (map pr-str arglists)) since doc))))

(defn dispatch [line]
  (let [[command & args] (str/split line #"\s+")
        args (map #(or (parse-long %) %) args)]
    (if-let [v (commands command)]
      (try
        (apply v args)
        (catch clojure.lang.ArityException e
          [:arity (.actual e)]))
      [:unknown command])))

(help)

(def tagged (with-meta [1 2 3] {:source "file"}))

{:results  (mapv dispatch ["add 2 3" "greet Ann" "greet Ann yes" "quit" "add 1"])
 :private  (:private (meta #'helper))
 :meta     (meta (conj tagged 4))
 :equal    (= tagged [1 2 3])
 :varied   (meta (vary-meta tagged assoc :line 7))
 :lost     (meta (map inc tagged))
 :var      [(var? #'greet) (fn? greet) (ifn? #'greet) (#'greet "Bo")]
 :hint     (:tag (meta ^String (with-meta 'x {:tag 'String})))}
