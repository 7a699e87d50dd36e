;; Implement a stack and a queue behind one protocol and run the same commands on both.
(defprotocol Container
  (put [c x])
  (take-one [c] "Returns [item rest], or nil when empty.")
  (size [c])
  (items [c]))

(deftype Stack [xs]
  Container
  (put [_ x] (Stack. (cons x xs)))
  (take-one [_] (when (seq xs) [(first xs) (Stack. (rest xs))]))
  (size [_] (count xs))
  (items [_] xs))

(deftype Queue [front back]
  Container
  (put [_ x] (Queue. front (conj back x)))
  (take-one [_]
    (cond
      (seq front) [(first front) (Queue. (rest front) back)]
      (seq back) [(first back) (Queue. (rest back) [])]
      :else nil))
  (size [_] (+ (count front) (count back)))
  (items [_] (concat front back)))

(defn drain [c]
  (lazy-seq
   (when-let [[x more] (take-one c)]
     (cons x (drain more)))))

(defn run-commands [container commands]
  (reduce (fn [[c out] cmd]
            (if (= cmd :pop)
              (if-let [[x c'] (take-one c)]
                [c' (conj out x)]
                [c (conj out :empty)])
              [(put c cmd) out]))
          [container []]
          commands))

(def commands [1 2 3 :pop :pop 4 5 :pop :pop :pop :pop 6])

(defn play [label c]
  (let [[end out] (run-commands c commands)]
    (println label "->" out "left" (items end) "size" (size end))
    {label (drain (reduce put end [:a :b :c]))}))

(mapv (fn [[label c]] (play label c))
      [[:stack (Stack. nil)] [:queue (->Queue () [])]])
