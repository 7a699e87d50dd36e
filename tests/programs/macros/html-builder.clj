;; Write HTML with macros, one macro a tag, made by another macro.
(require '[clojure.string :as str])

(defn attrs->str [m]
  (apply str (for [[k v] m :when v]
               (if (true? v)
                 (str " " (name k))
                 (format " %s=\"%s\"" (name k) v)))))

(defn element [tag args]
  (let [[attrs body] (if (map? (first args)) [(first args) (rest args)] [{} args])]
    (str "<" tag (attrs->str attrs) ">"
         (str/join (flatten body))
         "</" tag ">")))

(defmacro deftags [& tags]
  `(do ~@(for [t tags]
           `(defmacro ~t [& args#]
              (list 'element ~(name t) (cons 'list args#))))))

(deftags div ul li p table tr td a)

(defmacro rows [[binding coll] & body]
  `(for [~binding ~coll] (tr ~@(map (fn [b] `(td ~b)) body))))

(def products [{:name "Pen" :price 1.5 :stock 0} {:name "Ink" :price 12 :stock 4}])

(def page
  (div {:class "page" :hidden false :data-open true}
       (p "Products: " (count products))
       (table
        (rows [{:keys [name price stock]} products]
              name
              (format "%.2f" (double price))
              (if (zero? stock) "sold out" stock)))
       (ul (for [i (range 3)] (li {:id (str "i" i)} i)))
       (a {:href "#top"} "up")))

(println (str/replace page #"(</(?:tr|p|table|ul)>)" "$1\n"))

{:size (count page)
 :tags (->> page (re-seq #"<([a-z]+)") (map second) frequencies (into (sorted-map)))
 :expansion (macroexpand-1 '(li {:id 1} x))}
