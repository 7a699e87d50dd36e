; Fill templates with {{variables}}, filters, sections and defaults from nested data.
(ns template.core
  (:require [clojure.string :as str]))

(def filters
  {"upper" str/upper-case
   "lower" str/lower-case
   "title" (fn [s] (str/join " " (map str/capitalize (str/split s #" "))))
   "count" (comp str count)
   "money" #(format "%.2f" (double %))
   "join"  (partial str/join ", ")})

(defn lookup [data path]
  (get-in data (map keyword (str/split path #"\."))))

(defn render-var [data expr]
  (let [[path & fs] (map str/trim (str/split expr #"\|"))
        [path default] (str/split path #"\s*\?\s*" 2)
        value (lookup data path)]
    (str (reduce (fn [v f]
                   (if-let [f (filters f)]
                     (f v)
                     (throw (ex-info (str "unknown filter: " f) {:filter f :expr expr}))))
                 (if (some? value) value default)
                 fs))))

(defn render-each [data template]
  (str/replace template #"(?s)\{% each (\S+) %\}(.*?)\{% end %\}"
               (fn [[_ path body]]
                 (apply str (for [item (lookup data path)]
                              (str/replace body "{{.}}" (str item)))))))

(defn render [template data]
  (-> (render-each data template)
      (str/replace #"\{\{\s*([^}]+?)\s*\}\}" #(render-var data (second %)))))

(def order
  {:customer {:name "ada lovelace" :vip true}
   :items ["lamp" "desk"]
   :total 129.5})

(println (render "Dear {{ customer.name | title }},
you bought {{items | count}} things: {{items|join|upper}}.
{% each items %}* {{.}}
{% end %}Total: {{ total | money }} {{ currency ? EUR }}" order))

[(render "no variables" {})
 (render "{{missing}}|{{missing ? n/a | upper}}" {})
 (try (render "{{customer.name | shout}}" order)
      (catch Exception e (merge {:message (.getMessage e)} (ex-data e))))]
