;; Own transducers with state, completion and early termination.
(defn sliding [n]
  (fn [rf]
    (let [buf (volatile! clojure.lang.PersistentQueue/EMPTY)]
      (fn
        ([] (rf))
        ([acc] (rf acc))
        ([acc x]
         (vswap! buf conj x)
         (when (> (count @buf) n) (vswap! buf pop))
         (if (= n (count @buf))
           (rf acc (vec @buf))
           acc))))))

(defn until-sum [limit]
  (fn [rf]
    (let [total (volatile! 0)]
      (fn
        ([] (rf))
        ([acc] (rf acc))
        ([acc x]
         (if (> (vswap! total + x) limit)
           (reduced acc)
           (rf acc x)))))))

(defn with-footer [f]
  (fn [rf]
    (let [seen (volatile! [])]
      (completing
       (fn [acc x] (vswap! seen conj x) (rf acc x))
       (fn [acc] (rf (unreduced (rf acc (f @seen)))))))))

(defn batch-by-weight [weight max-weight]
  (fn [rf]
    (let [cur (volatile! [])
          w (volatile! 0)]
      (fn
        ([] (rf))
        ([acc]
         (rf (if (empty? @cur) acc (unreduced (rf acc @cur)))))
        ([acc x]
         (let [wx (weight x)]
           (if (and (seq @cur) (> (+ @w wx) max-weight))
             (let [b @cur]
               (vreset! cur [x]) (vreset! w wx)
               (rf acc b))
             (do (vswap! cur conj x) (vswap! w + wx) acc))))))))

{:slide (into [] (sliding 3) (range 6))
 :until (into [] (comp (map inc) (until-sum 20)) (range))
 :footer (sequence (comp (map #(* % %)) (with-footer (partial apply +))) [1 2 3])
 :footer-take (into [] (comp (with-footer count) (take 2)) [7 8 9])
 :batch (into [] (batch-by-weight count 8) ["abc" "defg" "hi" "jklmnop" "q" "rs"])
 :edu (reduce + 0 (eduction (sliding 2) (map #(apply * %)) [1 2 3 4]))
 :halt (transduce (comp (sliding 2) (halt-when #(> (apply + %) 6) (fn [r x] {:so-far r :hit x}))) conj [] (range 10))
 :cat (into [] (comp cat (dedupe) (partition-by odd?)) [[1 1 3] [3 2] [2 4 5]])}
