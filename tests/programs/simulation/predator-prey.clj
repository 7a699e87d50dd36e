;; Step a predator and prey model and report the peaks of both populations.
(def params {:birth 0.1 :death 0.05 :hunt 0.002 :feed 0.5})

(defn step [{:keys [birth death hunt feed]} {:keys [rabbits foxes] :as world}]
  (let [eaten (* hunt rabbits foxes)]
    (assoc world
           :rabbits (+ rabbits (- (* birth rabbits) eaten))
           :foxes (+ foxes (- (* feed eaten) (* death foxes))))))

(defn run [n world]
  (vec (take (inc n) (iterate (partial step params) world))))

(def history (run 120 {:rabbits 100.0 :foxes 20.0}))

(defn peak [k]
  (apply max-key #(get-in history [% k]) (range (count history))))

(defn round [places x]
  (let [f (Math/pow 10 places)]
    (/ (Math/round (* x f)) f)))

(doseq [i (range 0 121 20)
        :let [{:keys [rabbits foxes]} (history i)]]
  (println (format "%4d %8.2f %8.2f" i rabbits foxes)))

(defn turning-points [xs]
  (->> (partition 3 1 xs)
       (keep-indexed (fn [i [a b c]]
                       (when (or (< a b c) (> a b c)) nil)
                       (when (and (> b a) (> b c)) (inc i))))))

{:rabbit-peak (peak :rabbits)
 :fox-peak (peak :foxes)
 :after (update-vals (peek history) (partial round 3))
 :maxima (turning-points (map :rabbits history))
 :alive? (every? (every-pred (comp pos? :rabbits) (comp pos? :foxes)) history)}
