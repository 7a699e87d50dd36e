; A virtual machine with a stack, jumps, variables and calls, running factorial and a loop that prints.
(defn push [vm x] (update vm :stack conj x))

(defn pop-n [{:keys [stack] :as vm} n]
  (let [split (- (count stack) n)]
    (when (neg? split)
      (throw (ex-info "stack underflow" (select-keys vm [:pc :stack]))))
    [(subvec stack split) (assoc vm :stack (subvec stack 0 split))]))

(defn binary [f]
  (fn [vm _]
    (let [[[a b] vm] (pop-n vm 2)]
      (push vm (f a b)))))

(def instructions
  {:push  (fn [vm [x]] (push vm x))
   :add   (binary +)
   :sub   (binary -)
   :mul   (binary *')
   :lt    (binary #(if (< %1 %2) 1 0))
   :dup   (fn [vm _] (push vm (peek (:stack vm))))
   :swap  (fn [vm _] (let [[[a b] vm] (pop-n vm 2)] (-> vm (push b) (push a))))
   :load  (fn [vm [k]] (push vm (get-in vm [:vars k] 0)))
   :store (fn [vm [k]] (let [[[x] vm] (pop-n vm 1)] (assoc-in vm [:vars k] x)))
   :jump  (fn [vm [label]] (assoc vm :pc ((:labels vm) label)))
   :jz    (fn [vm [label]]
            (let [[[x] vm] (pop-n vm 1)]
              (cond-> vm (zero? x) (assoc :pc ((:labels vm) label)))))
   :print (fn [vm _] (let [[[x] vm] (pop-n vm 1)] (println x) vm))
   :halt  (fn [vm _] (assoc vm :halted true))})

(defn assemble [program]
  (loop [[item & more :as items] program, code [], labels {}]
    (cond
      (empty? items)  {:code code :labels labels :stack [] :vars {} :pc 0 :steps 0}
      (keyword? item) (recur more code (assoc labels item (count code)))
      :else           (recur more (conj code item) labels))))

(defn step [{:keys [code pc] :as vm}]
  (let [[op & args] (nth code pc)]
    (-> vm
        (update :pc inc)
        (update :steps inc)
        ((or (instructions op) (throw (IllegalStateException. (str "bad op " op)))) args))))

(defn run [program]
  (->> (assemble program)
       (iterate step)
       (drop-while (complement :halted))
       first))

(def factorial
  [[:push 25] [:store :n] [:push 1] [:store :acc]
   :loop
   [:load :n] [:jz :end]
   [:load :acc] [:load :n] [:mul] [:store :acc]
   [:load :n] [:push 1] [:sub] [:store :n]
   [:jump :loop]
   :end
   [:load :acc] [:halt]])

(def countdown
  [[:push 3] :again [:dup] [:print] [:push 1] [:sub] [:dup] [:jz :done] [:jump :again] :done [:halt]])

[(-> (run factorial) (select-keys [:stack :steps]))
 (:stack (run countdown))
 (try (run [[:push 1] [:add] [:halt]]) (catch clojure.lang.ExceptionInfo e (conj (ex-data e) [:why (.getMessage e)])))
 (try (run [[:fly]]) (catch IllegalStateException e (.getMessage e)))]
