; A small query language over rows: select, where with and/or, order by and limit, compiled to functions.
(ns sql.mini
  (:require [clojure.string :as str]))

(def people
  [{:name "Ann" :age 34 :city "Oslo"} {:name "Bo" :age 19 :city "Bergen"}
   {:name "Cy" :age 52 :city "Oslo"} {:name "Di" :age 19 :city "Oslo"}
   {:name "Ed" :age 41 :city nil}])

(defn tokens [s]
  (map (fn [[t text number]]
         (cond text text
               number (parse-long number)
               :else (keyword (str/lower-case t))))
       (re-seq #"'([^']*)'|(\d+)|[\w*]+|[<>=!]+|[(),]" s)))

(def comparators
  {:= = :!= not= :< (fn [a b] (and a (neg? (compare a b)))) :> (fn [a b] (and a (pos? (compare a b))))
   :like (fn [a b] (some? (re-matches (re-pattern (str "(?i)" (str/replace b "%" ".*"))) (str a))))})

(declare parse-or)

(defn parse-comparison [[a op b & more :as ts]]
  (if (= a (keyword "("))
    (let [[pred [close & more]] (parse-or (rest ts))]
      (assert (= close (keyword ")")) "missing )")
      [pred more])
    (if-let [f (comparators op)]
      [(fn [row] (boolean (f (get row a) b))) more]
      (throw (ex-info "unknown comparison" {:near (take 3 ts)})))))

(defn parse-binary [next-level word combine]
  (fn [ts]
    (let [[p more] (next-level ts)]
      (loop [p p more more]
        (if (= word (first more))
          (let [[q more] (next-level (rest more))]
            (recur (combine p q) more))
          [p more])))))

(def parse-and (parse-binary parse-comparison :and (fn [p q] (every-pred p q))))
(def parse-or (parse-binary parse-and :or (fn [p q] (some-fn p q))))

(defn clauses [ts]
  (let [heads #{:select :where :order :limit}]
    (->> ts
         (partition-by heads)
         (partition 2)
         (map (fn [[[head] body]] [head body]))
         (into {}))))

(defn compile-query [s]
  (let [{:keys [select where order limit]} (clauses (tokens s))
        columns (remove #{(keyword ",")} select)
        [pred left] (if where (parse-or where) [(constantly true) nil])]
    (when (seq left) (throw (ex-info "left over" {:tokens left})))
    (fn [rows]
      (cond->> (filter pred rows)
        order (sort-by (second order) (if (= :desc (nth order 2 nil)) #(compare %2 %1) compare))
        limit (take (first limit))
        (not= columns [:*]) (map #(select-keys % columns))))))

(defn q [s] ((compile-query s) people))

(run! prn (q "select * where city = 'Oslo'"))

{:young  (q "SELECT name, age WHERE age < 40 AND city = 'Oslo'")
 :mixed  (map :name (q "select name where (age > 50 or age = 19) and name != 'Bo'"))
 :sorted (q "select name order by age desc limit 2")
 :like   (mapv :name (q "select name where city like 'be%'"))
 :error  (try (q "select name where age ~ 3 = 4") (catch Exception e (or (ex-data e) (.getMessage e))))
 :paren  (try (q "select name where (age > 1") (catch AssertionError e (.getMessage e)))}
