; Read an indented outline into a tree, number its sections, fold it and write it back.
(require '[clojure.string :as str])

(def outline
  "Fruit
  Apple
    Green
    Red
  Pear
Vegetables
  Carrot

Nuts")

(defn indent-of [line]
  (count (take-while #{\space} line)))

(defn parse-lines [text]
  (->> (str/split-lines text)
       (remove str/blank?)
       (map (juxt #(quot (indent-of %) 2) str/trim))))

(defn build
  "Nodes at a depth from the head of the lines: [nodes remaining]."
  [depth lines]
  (loop [nodes [] [[d text] & more :as lines] lines]
    (if (or (nil? d) (< d depth))
      [nodes lines]
      (let [[children remaining] (build (inc depth) more)]
        (recur (conj nodes (cond-> {:text text} (seq children) (assoc :children children)))
               remaining)))))

(def tree (first (build 0 (parse-lines outline))))

(defn numbered
  ([nodes] (numbered nil nodes))
  ([prefix nodes]
   (mapcat (fn [i {:keys [text children]}]
             (let [n (if prefix (str prefix "." i) (str i))]
               (cons [n text] (numbered n children))))
           (iterate inc 1)
           nodes)))

(defn render [nodes & [{:keys [depth fold?] :or {depth 0, fold? (constantly false)}}]]
  (str/join "\n"
            (for [{:keys [text children]} nodes
                  :let [line (str (str/join (repeat depth "  ")) text)]]
              (cond
                (empty? children)  line
                (fold? text)       (str line " (" (count children) ")")
                :else              (str line "\n" (render children {:depth (inc depth) :fold? fold?}))))))

(defn paths [nodes]
  (for [{:keys [text children]} nodes
        path (if children (paths children) [nil])]
    (cons text path)))

(doseq [[n text] (numbered tree)]
  (println n text))
(println (render tree {:fold? #{"Apple"}}))

{:same  (= (render tree) (str/replace outline #"\n\n" "\n"))
 :paths (map (partial str/join "/") (paths tree))
 :count (->> tree (mapcat #(tree-seq :children :children %)) count)
 :deepest (->> (parse-lines outline) (apply max-key first) second)
 :first (get-in tree [0 :children 0 :children 1 :text])}
