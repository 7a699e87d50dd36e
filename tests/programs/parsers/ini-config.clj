; Read an INI file with sections, comments, quoted values, lists and references to other keys.
(ns ini
  (:require [clojure.string :as str]))

(def text
  "; main settings
name = Demo App
debug = yes

[database]
host = \"db.example.org\"   ; inline comment
port = 5432
url  = postgres://${database.host}:${database.port}/${name}

[paths]
include[] = /usr/lib
include[] = /opt/lib
broken line
# done
empty =")

(defn convert [v]
  (condp re-matches v
    #"\"(.*)\""              :>> second
    #"-?\d+"                 :>> #(Long/parseLong %)
    #"-?\d+\.\d+"            :>> #(Double/parseDouble %)
    #"(?i)yes|true|on"       true
    #"(?i)no|false|off"      false
    #""                      nil
    v))

(defn parse-line [{:keys [section n] :as state} line]
  (let [line  (-> line (str/replace #"\s+[;#].*$" "") str/trim)
        state (update state :n inc)]
    (if-let [[_ name] (re-matches #"\[(\w+)\]" line)]
      (assoc state :section (keyword name))
      (if-let [[_ k list? v] (re-matches #"([\w.]+)(\[\])?\s*=\s*(.*)" line)]
        (let [path (if section [section (keyword k)] [(keyword k)])]
          (if list?
            (update-in state (cons :config path) (fnil conj []) (convert v))
            (assoc-in state (cons :config path) (convert v))))
        (if (or (str/blank? line) (re-find #"^[;#]" line))
          state
          (update state :warnings conj (str "line " (inc n) ": " line)))))))

(defn resolve-refs [config]
  (letfn [(lookup [path]
            (let [v (get-in config (map keyword (str/split path #"\.")))]
              (if (nil? v) (str "<" path "?>") (str v))))
          (expand [v]
            (cond
              (string? v) (str/replace v #"\$\{([^}]+)\}" (fn [[_ path]] (lookup path)))
              (map? v)    (into {} (map (juxt key (comp expand val))) v)
              :else       v))]
    (expand config)))

(let [{:keys [config warnings]} (reduce parse-line {:config {} :section nil :warnings [] :n 0} (str/split-lines text))
      config (resolve-refs config)]
  (doseq [w warnings] (println "warning:" w))
  (println (get-in config [:database :url]))
  (doseq [[section settings] (filter (comp map? val) config)
          [k v] settings]
    (println (str (name section) "/" (name k)) "->" (pr-str v)))
  config)
