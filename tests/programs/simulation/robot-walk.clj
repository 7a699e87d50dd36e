;; Walk a robot over a grid with walls by a string of commands and draw its path.
(require '[clojure.string :as str]
         '[clojure.set])

(def grid
  ["##########"
   "#S...#...#"
   "#.##.#.#.#"
   "#..#...#.#"
   "##########"])

(def turn-right {[0 -1] [1 0], [1 0] [0 1], [0 1] [-1 0], [-1 0] [0 -1]})
(def turn-left (clojure.set/map-invert turn-right))

(defn cell [[x y]] (get-in grid [y x]))

(def start-pos
  (first (for [y (range (count grid)) x (range (count (first grid)))
               :when (= \S (cell [x y]))]
           [x y])))

(defn move [{:keys [pos dir] :as robot}]
  (let [nxt (mapv + pos dir)]
    (if (= \# (cell nxt))
      (update robot :bumps inc)
      (-> robot
          (assoc :pos nxt)
          (update :path conj nxt)))))

(defn command [robot ch]
  (condp = ch
    \F (move robot)
    \R (update robot :dir turn-right)
    \L (update robot :dir turn-left)
    robot))

(defn expand
  "\"3FR2(FL)\" => \"FFFRFLFL\""
  [s]
  (let [s' (str/replace s #"(\d+)(?:\(([A-Z]+)\)|([A-Z]))"
                        (fn [[_ n group single]]
                          (apply str (repeat (Integer/parseInt n) (or group single)))))]
    (if (= s s') s (recur s'))))

(defn draw [path]
  (let [steps (set path)]
    (str/join "\n"
              (map-indexed (fn [y row]
                             (apply str (map-indexed (fn [x ch] (if (and (= ch \.) (steps [x y])) \o ch)) row)))
                           grid))))

(def program (expand "4FR2FL2FL2FR2FR2FX2(FR)"))

(let [robot (reduce command {:pos start-pos :dir [1 0] :path [start-pos] :bumps 0} program)]
  (println program)
  (println (draw (:path robot)))
  (-> robot
      (assoc :distance (->> (map - (:pos robot) start-pos) (map #(Math/abs %)) (apply +)))
      (dissoc :path)))
