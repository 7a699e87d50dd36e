; An elevator that serves calls in its direction first; its moves and waiting times are recorded.
(defrecord Elevator [floor direction stops doors tick log])

(def start (->Elevator 0 :idle (sorted-set) :closed 0 []))

(defn record [e msg] (update e :log conj [(:tick e) (:floor e) msg]))

(defn above [{:keys [floor stops]}] (subseq stops > floor))
(defn below [{:keys [floor stops]}] (rsubseq stops < floor))

(defn choose-direction [{:keys [direction] :as e}]
  (assoc e :direction
         (case direction
           :up   (cond (seq (above e)) :up (seq (below e)) :down :else :idle)
           :down (cond (seq (below e)) :down (seq (above e)) :up :else :idle)
           :idle (cond (seq (above e)) :up (seq (below e)) :down :else :idle))))

(defn open-doors [e]
  (-> e
      (assoc :doors :open)
      (update :stops disj (:floor e))
      (record :open)))

(defn step [{:keys [floor stops doors] :as e}]
  (let [e (update e :tick inc)]
    (cond
      (= doors :open)        (assoc e :doors :closed)
      (contains? stops floor) (open-doors e)
      :else
      (let [{:keys [direction] :as e} (choose-direction e)]
        (case direction
          :up   (update e :floor inc)
          :down (update e :floor dec)
          :idle e)))))

(defn call [e floor]
  (-> e (update :stops conj floor) (record [:call floor])))

(defn simulate [calls ticks]
  (reduce (fn [e t]
            (step (reduce call e (get calls t))))
          start
          (range ticks)))

(let [calls {0 [4 2], 3 [1], 5 [5 3]}
      end   (simulate calls 20)
      opened (for [[t f what] (:log end) :when (= what :open)] [t f])]
  (doseq [[tick floor what] (:log end)]
    (println (format "t=%02d floor %d %s" tick floor (if (vector? what) (str "call to " (second what)) "doors open"))))
  {:order     (map second opened)
   :direction (:direction end)
   :stops     (:stops end)
   :waiting   (into (sorted-map)
                    (for [[t fs] calls f fs]
                      [f (- (some (fn [[o g]] (when (and (= f g) (>= o t)) o)) opened) t)]))
   :keys      (keys end)})
