; A Turing machine with a tape in a map: increment a binary number, check brackets, and a busy beaver.
(defn make-tape [s] (into {} (map-indexed vector) s))

(defn tape->string [tape]
  (when-let [used (seq (for [[i c] tape :when (not= c \_)] i))]
    (apply str (for [i (range (apply min used) (inc (apply max used)))]
                 (get tape i \_)))))

(defn step [program {:keys [state head tape] :as machine}]
  (let [symbol (get tape head \_)]
    (when-let [[write move next-state] (get program [state symbol])]
      (assoc machine
             :state next-state
             :tape (assoc tape head write)
             :head (case move :l (dec head) :r (inc head) :s head)))))

(defn run [program start input & {:keys [max-steps] :or {max-steps 1000}}]
  (let [configs (->> {:state start :head 0 :tape (make-tape input)}
                     (iterate (partial step program))
                     (take-while some?)
                     (take max-steps))
        {:keys [state tape]} (last configs)]
    {:state state
     :tape  (tape->string tape)
     :steps (dec (count configs))}))

(def increment
  {[:right \0] [\0 :r :right]
   [:right \1] [\1 :r :right]
   [:right \_] [\_ :l :carry]
   [:carry \1] [\0 :l :carry]
   [:carry \0] [\1 :s :done]
   [:carry \_] [\1 :s :done]})

(def busy-beaver-3
  {[:a \_] [\1 :r :b], [:a \1] [\1 :l :c]
   [:b \_] [\1 :l :a], [:b \1] [\1 :r :b]
   [:c \_] [\1 :l :b], [:c \1] [\1 :s :halt]})

(def brackets
  (merge
   (zipmap [[:find \(] [:find \x]] [[\( :r :find] [\x :r :find]])
   {[:find \)] [\x :l :match]
    [:find \_] [\_ :l :check]
    [:match \x] [\x :l :match]
    [:match \(] [\x :r :find]
    [:match \_] [\_ :s :reject]
    [:check \x] [\x :l :check]
    [:check \(] [\( :s :reject]
    [:check \_] [\_ :s :accept]}))

(doseq [n ["0" "1011" "111"]]
  (println n "+ 1 =" (:tape (run increment :right n))))

{:beaver   (run busy-beaver-3 :a "")
 :brackets (into (array-map) (for [s ["()" "(())()" "(()" "())" ""]] [s (:state (run brackets :find s))]))
 :numbers  (->> "0" (iterate #(:tape (run increment :right %))) (take 6) vec)
 :endless  (:steps (run {[:a \_] [\_ :r :a]} :a "" :max-steps 50))}
