;; Simulate a bouncing ball and a projectile with small time steps and print a text plot.
(require '[clojure.string :as str])

(def g 9.81)
(def dt 0.05)

(defn step [{:keys [y v] :as ball}]
  (let [v' (- v (* g dt))
        y' (+ y (* v' dt))]
    (if (neg? y')
      (-> ball
          (assoc :y 0.0 :v (* -0.8 v'))
          (update :bounces (fnil inc 0)))
      (assoc ball :y y' :v v'))))

(defn plot [xs height]
  (let [top (apply max xs)]
    (->> (range height 0 -1)
         (map (fn [row]
                (str/trimr
                 (apply str (map #(if (>= (* height (/ % top)) row) "*" " ") xs)))))
         (str/join "\n"))))

(def flight (take 60 (iterate step {:y 2.0 :v 0.0})))

(println (plot (map :y (take-nth 2 flight)) 6))

(defn projectile [angle speed]
  (let [rad (Math/toRadians angle)
        vx (* speed (Math/cos rad))
        vy (* speed (Math/sin rad))]
    (/ (* 2 vx vy) g)))

(defn round2 [x] (-> x (* 100) Math/round (/ 100.0)))

(defn bisect [f lo hi]
  (loop [lo lo hi hi n 0]
    (let [mid (/ (+ lo hi) 2.0)]
      (cond
        (or (> n 60) (< (- hi lo) 1e-9)) mid
        (neg? (* (f lo) (f mid))) (recur lo mid (inc n))
        :else (recur mid hi (inc n))))))

{:bounces (:bounces (last flight))
 :heights (map (comp round2 :y) (take-nth 12 flight))
 :best-angle (apply max-key #(projectile % 20) (range 0 91 5))
 :ranges (into (sorted-map) (map (fn [a] [a (round2 (projectile a 20))])) [15 45 75])
 :angle-for-30 (round2 (bisect #(- (projectile % 20) 30) 0 45))
 :sqrt2 (round2 (bisect #(- (* % %) 2) 0 2))
 :pi (round2 (* 2 (Math/asin 1)))
 :hypot (Math/hypot 3 4)}
