;; Run Conway's game of life for some generations and detect that it repeats.
(require '[clojure.string :as str]
         '[clojure.set :as set])

(defn neighbours [[x y]]
  (for [dx [-1 0 1] dy [-1 0 1]
        :when (not= 0 dx dy)]
    [(+ x dx) (+ y dy)]))

(defn step [cells]
  (set (for [[loc n] (frequencies (mapcat neighbours cells))
             :when (or (= n 3) (and (= n 2) (cells loc)))]
         loc)))

(defn parse [s]
  (set (for [[y line] (map-indexed vector (str/split-lines s))
             [x ch] (map-indexed vector line)
             :when (= ch \#)]
         [x y])))

(defn render [cells w h]
  (str/join "\n"
            (for [y (range h)]
              (apply str (for [x (range w)] (if (cells [x y]) \# \.))))))

(defn period
  "Generations after which a state is seen again, and the size of the loop."
  [cells]
  (loop [seen {} cells cells n 0]
    (if-let [before (seen cells)]
      {:at n :loop (- n before)}
      (recur (assoc seen cells n) (step cells) (inc n)))))

(def glider (parse ".#.\n..#\n###"))
(def blinker #{[1 0] [1 1] [1 2]})

(doseq [g (take 3 (iterate step glider))]
  (println (render g 5 5))
  (println))

(let [after-4 (nth (iterate step glider) 4)
      moved (set (map (fn [[x y]] [(inc x) (inc y)]) glider))]
  {:moved? (= after-4 moved)
   :common (sort (set/intersection glider after-4))
   :blinker (period blinker)
   :block (period #{[0 0] [0 1] [1 0] [1 1]})
   :counts (map count (take 6 (iterate step #{[0 0] [1 0] [2 0] [1 1]})))})
