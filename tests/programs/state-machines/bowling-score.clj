; Score games of ten-pin bowling with strikes, spares and the last frame, refusing bad rolls.
(defn parse-rolls [s]
  (reduce (fn [rolls c]
            (conj rolls
                  (condp = c
                    \X 10
                    \- 0
                    \/ (- 10 (peek rolls))
                    (Character/digit c 10))))
          []
          (remove #{\space \|} s)))

(defn frames
  "Splits rolls lazily into frames; the last takes what is left."
  ([rolls] (frames 1 rolls))
  ([n rolls]
   (lazy-seq
    (when (seq rolls)
      (cond
        (= n 10)             (list rolls)
        (= 10 (first rolls)) (cons (take 1 rolls) (frames (inc n) (drop 1 rolls)))
        :else                (cons (take 2 rolls) (frames (inc n) (drop 2 rolls))))))))

(defn validate [rolls]
  (doseq [[i frame] (map-indexed vector (frames rolls))]
    (when (and (< i 9) (> (reduce + frame) 10))
      (throw (IllegalArgumentException. (str "frame " (inc i) " has too many pins: " (vec frame))))))
  rolls)

(defn score [rolls]
  (loop [frame 1, total 0, [a b c :as rolls] rolls]
    (if (> frame 10)
      total
      (cond
        (= a 10)       (recur (inc frame) (+ total 10 b c) (rest rolls))
        (= 10 (+ a b)) (recur (inc frame) (+ total 10 c) (nnext rolls))
        :else          (recur (inc frame) (+ total a b) (drop 2 rolls))))))

(def score-card (comp score validate parse-rolls))

(defn running [s]
  (let [rolls (parse-rolls s)
        starts (->> (frames rolls) (map count) (reductions + 0) (take 10))]
    (->> starts
         (map (fn [i]
                (let [[a b c] (drop i rolls)]
                  (cond (= a 10) (+ 10 b c)
                        (= 10 (+ a b)) (+ 10 c)
                        :else (+ a b)))))
         (reductions +))))

(def games {:perfect "XXXXXXXXXXXX" :spares "5/5/5/5/5/5/5/5/5/5/5" :gutter "--------------------"
            :mixed "X 7/ 9- X -8 8/ -6 X X X81"})

(doseq [[k s] games]
  (printf "%-8s %3d%n" (name k) (score-card s)))

{:running (running (:mixed games))
 :frames  (map vec (frames (parse-rolls (:mixed games))))
 :bad     (try (score-card "58------------------") (catch IllegalArgumentException e (ex-message e)))
 :average (double (/ (reduce + (map score-card (vals games))) (count games)))}
