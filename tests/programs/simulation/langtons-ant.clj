; Langton's ant and a turmite, as lazy sequences of worlds, with transducers over the steps.
(def turns {:right {:n :e, :e :s, :s :w, :w :n}
            :left  {:n :w, :w :s, :s :e, :e :n}
            :none  {:n :n, :e :e, :s :s, :w :w}})
(def moves {:n [0 -1] :e [1 0] :s [0 1] :w [-1 0]})

(defn ant-step [rules {:keys [pos dir cells] :as world}]
  (let [colour (get cells pos 0)
        [turn next-colour] (rules colour)
        dir (get-in turns [turn dir])]
    (assoc world
           :cells (if (zero? next-colour) (dissoc cells pos) (assoc cells pos next-colour))
           :dir dir
           :pos (mapv + pos (moves dir)))))

(def langton {0 [:right 1], 1 [:left 0]})
(def three   {0 [:right 1], 1 [:none 2], 2 [:left 0]})

(def start {:pos [0 0] :dir :n :cells {}})

(defn worlds [rules] (iterate (partial ant-step rules) start))

(defn bounds [cells]
  (when (seq cells)
    (let [xs (map ffirst cells), ys (map (comp second first) cells)]
      [[(apply min xs) (apply max xs)] [(apply min ys) (apply max ys)]])))

(defn render [cells]
  (let [[[x0 x1] [y0 y1]] (bounds cells)]
    (for [y (range y0 (inc y1))]
      (apply str (for [x (range x0 (inc x1))] (get {0 \. 1 \# 2 \o} (get cells [x y] 0)))))))

(run! println (render (:cells (nth (worlds langton) 100))))

{:black    (into [] (comp (take-nth 50) (map (comp count :cells)) (take 5)) (worlds langton))
 :home     (->> (worlds langton) (drop 1) (take-while #(not= [0 0] (:pos %))) count inc)
 :bounds   (bounds (:cells (nth (worlds three) 300)))
 :colours  (into (sorted-map) (frequencies (vals (:cells (nth (worlds three) 300)))))
 :first5   (mapv :pos (take 5 (worlds langton)))}
