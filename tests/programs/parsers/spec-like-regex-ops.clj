; Match sequences of data against patterns written as data: cat, alt, star, plus, maybe, with names for parts.
(declare match)

(defn match-cat [[[k p] & more] xs acc]
  (if (nil? k)
    [[acc xs]]
    (for [[v rest-xs] (match p xs)
          result (match-cat more rest-xs (assoc acc k v))]
      result)))

(defn match-star [p xs]
  (lazy-seq
   (concat (for [[v more] (match p xs)
                 :when (not= more xs)
                 [vs left] (match-star p more)]
             [(cons v vs) left])
           [[() xs]])))

(defn match
  "All ways to match a pattern at the head of xs, as [value rest]."
  [pattern xs]
  (cond
    (fn? pattern)  (when (and (seq xs) (pattern (first xs))) [[(first xs) (rest xs)]])
    (set? pattern) (recur #(contains? pattern %) xs)
    (keyword? pattern) (recur #(= pattern %) xs)
    :else
    (let [[op & args] pattern]
      (case op
        :cat   (match-cat (partition 2 args) xs {})
        :alt   (mapcat (fn [[k p]] (for [[v more] (match p xs)] [[k v] more])) (partition 2 args))
        :*     (for [[vs more] (match-star (first args) xs)] [(vec vs) more])
        :+     (for [[[v & vs] more] (match [:* (first args)] xs) :when v] [(into [v] vs) more])
        :?     (concat (match (first args) xs) [[nil xs]])
        :nested (when (sequential? (first xs))
                  (for [[v left] (match (first args) (first xs)) :when (empty? left)]
                    [v (rest xs)]))))))

(defn conform [pattern xs]
  (or (some (fn [[v left]] (when (empty? left) v)) (match pattern xs))
      ::invalid))

(def defn-pattern
  [:cat :op #{'defn 'defn-}
        :name symbol?
        :doc [:? string?]
        :params vector?
        :body [:+ (constantly true)]])

(def config-pattern
  [:* [:cat :prop keyword? :val [:alt :num number? :str string? :list [:nested [:* number?]]]]])

(println (conform defn-pattern '(defn add "adds" [a b] (+ a b))))

{:no-doc  (conform defn-pattern '(defn- f [] 1 2))
 :invalid (conform defn-pattern '(defn "x" [] 1))
 :config  (conform config-pattern [:port 80 :host "h" :xs [1 2 3]])
 :bad     (conform config-pattern [:port :host])
 :greedy  (conform [:cat :evens [:* even?] :last integer?] [2 4 6])
 :all     (map first (match [:* pos?] [1 2 -3]))}
