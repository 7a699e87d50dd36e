; Edit a tree with a zipper: rename, remove and insert nodes, and collect what was seen on the way.
(ns tree.edit
  (:require [clojure.zip :as zip]))

(def expression [:+ 1 [:* 2 :x] [:- :x [:/ 9 3]]])

(defn edit-all [root matcher editor]
  (loop [loc (zip/vector-zip root)]
    (if (zip/end? loc)
      (zip/root loc)
      (recur (zip/next (if (matcher (zip/node loc))
                         (zip/edit loc editor)
                         loc))))))

(defn nodes [root]
  (->> (zip/vector-zip root)
       (iterate zip/next)
       (take-while (complement zip/end?))
       (map zip/node)))

(defn remove-all [root pred]
  (loop [loc (zip/vector-zip root)]
    (cond
      (zip/end? loc)        (zip/root loc)
      (pred (zip/node loc)) (recur (zip/next (zip/remove loc)))
      :else                 (recur (zip/next loc)))))

(defn simplify [node]
  (if-let [[op a b] (when (and (vector? node) (= 3 (count node)) (every? number? (rest node))) node)]
    (({:+ + :- - :* * :/ /} op) a b)
    node))

(def html
  {:tag :ul :content [{:tag :li :content ["one"]} {:tag :li :content ["two" {:tag :b :content ["!"]}]}]})

(def html-zip
  (partial zip/zipper map? :content (fn [node children] (assoc node :content (vec children)))))

(let [substituted (edit-all expression #{:x} (constantly 5))
      folded      (edit-all substituted vector? simplify)]
  (println substituted)
  (println folded)
  {:leaves (remove vector? (nodes expression))
   :depth  (->> (zip/vector-zip expression) (iterate zip/next) (take-while (complement zip/end?)) (map (comp count zip/path)) (apply max))
   :no-x   (remove-all expression #{:x})
   :appended (-> (zip/vector-zip [1 2 [3]]) zip/down zip/rightmost (zip/append-child 4) (zip/insert-left :here) zip/root)
   :walk   (-> (zip/seq-zip '(a (b c) d)) zip/down zip/right zip/down zip/right zip/node)
   :html   (-> (html-zip html) zip/down zip/right (zip/edit assoc :class "hot") zip/up zip/down (zip/replace {:tag :li :content ["first"]}) zip/root)})
