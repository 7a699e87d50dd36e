; Fuzzy search in names: trigrams, prefixes, soundex and a score that orders the results.
(require '[clojure.string :as str]
         '[clojure.set :refer [intersection union]])

(def names ["Robert" "Rupert" "Rubin" "Ashcraft" "Ashcroft" "Tymczak" "Pfister" "Honeyman"])

(def codes
  (into {} (for [[letters digit] {"bfpv" 1 "cgjkqsxz" 2 "dt" 3 "l" 4 "mn" 5 "r" 6}
                 c letters]
             [c digit])))

(defn soundex [s]
  (let [[head & tail] (str/lower-case s)
        digits (->> (cons head tail)
                    (remove #{\h \w})
                    (map codes)
                    dedupe
                    rest
                    (filter some?))]
    (apply str (Character/toUpperCase head) (take 3 (concat digits (repeat 0))))))

(defn ngrams [n s]
  (->> (str "  " (str/lower-case s) " ")
       (partition n 1)
       (map str/join)
       set))

(defn similarity [a b]
  (let [x (ngrams 3 a) y (ngrams 3 b)]
    (/ (count (intersection x y)) (count (union x y)))))

(defn common-prefix [a b]
  (->> (map vector a b)
       (take-while (partial apply =))
       (map first)
       (apply str)))

(defn search
  [query & {:keys [limit threshold] :or {limit 3 threshold 0.1}}]
  (->> names
       (map (fn [n] {:name n :score (similarity query n)}))
       (filter #(>= (:score %) threshold))
       (sort-by (juxt (comp - :score) :name))
       (take limit)
       (mapv (fn [{:keys [name score]}] [name (Double/parseDouble (format "%.2f" (double score)))]))))

(doseq [n names]
  (println n (soundex n)))

{:same-sound (->> names (group-by soundex) vals (filter #(> (count %) 1)) sort)
 :search     (search "Ashkroft")
 :limited    (search "rubert" :limit 1 :threshold 0.2)
 :nothing    (search "zzz")
 :prefix     (reduce common-prefix ["interview" "internet" "interval"])
 :exact      (similarity "abc" "ABC")
 :options    (search "Robin" {:limit 2})}
