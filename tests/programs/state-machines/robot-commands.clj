; Robots on a field follow commands, fall off edges and leave a scent that saves the next.
(ns robots.mars
  (:require [clojure.string :as str]))

(def left {:n :w, :w :s, :s :e, :e :n})
(def right (zipmap (vals left) (keys left)))
(def delta {:n [0 1] :s [0 -1] :e [1 0] :w [-1 0]})

(defn inside? [[mx my] [x y]]
  (and (<= 0 x mx) (<= 0 y my)))

(defn move [{:keys [size scents] :as world} {:keys [pos dir] :as robot} command]
  (case command
    \L [world (update robot :dir left)]
    \R [world (update robot :dir right)]
    \F (let [target (mapv + pos (delta dir))]
         (cond
           (inside? size target)    [world (assoc robot :pos target)]
           (contains? scents pos)   [world robot]
           :else                    [(update world :scents conj pos) (assoc robot :lost? true)]))
    (throw (ex-info "unknown command" {:command command}))))

(defn run-robot [world {:keys [robot commands]}]
  (reduce (fn [[world robot] c]
            (let [[_ r :as result] (move world robot c)]
              (if (:lost? r) (reduced result) result)))
          [world robot]
          commands))

(defn parse [text]
  (let [[size & more] (->> (str/split-lines text) (map str/trim) (remove str/blank?))
        ints #(mapv (fn [n] (Integer/parseInt n)) (re-seq #"\d+" %))]
    {:world {:size (ints size) :scents #{}}
     :robots (for [[where commands] (partition 2 more)]
               {:robot {:pos (ints where) :dir (-> (re-find #"[NSEW]" where) str/lower-case keyword)}
                :commands (seq commands)})}))

(defn report [{:keys [pos dir lost?]}]
  (str/join " " (cond-> (conj pos (str/upper-case (name dir))) lost? (conj "LOST"))))

(def input "5 3
  1 1 E
  RFRFRFRF

  3 2 N
  FRRFLLFFRRFLL

  0 3 W
  LLFFFLFLFL")

(let [{:keys [world robots]} (parse input)
      [final results] (reduce (fn [[w done] r]
                                (let [[w r] (run-robot w r)] [w (conj done r)]))
                              [world []] robots)]
  (run! (comp println report) results)
  {:scents (sort (:scents final))
   :lost   (mapv (comp boolean :lost?) results)
   :right  right
   :error  (try (run-robot world {:robot {:pos [0 0] :dir :n} :commands "FX"})
                (catch Exception e (ex-data e)))
   :spun   (->> (iterate right :n) (take 5) vec)})
