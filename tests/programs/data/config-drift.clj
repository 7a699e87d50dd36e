;; Compare two environments' configuration and report what drifted, grouped by service.
(ns config.drift
  (:require [clojure.data :as data]
            [clojure.string :as str]
            [clojure.walk :as walk]))

(def staging
  {:api   {:replicas 2 :image "api:1.4" :env {"LOG" "debug" "DB" "stage-db"} :ports [80 443]}
   :cache {:replicas 1 :image "redis:7"}
   :batch {:replicas 1 :image "batch:9" :schedule "0 * * * *"}})

(def production
  {:api   {:replicas 6 :image "api:1.4" :env {"LOG" "info" "DB" "prod-db"} :ports [443]}
   :cache {:replicas 1 :image "redis:7"}
   :mail  {:replicas 1 :image "smtp:2"}})

(defn leaf-paths
  ([m] (leaf-paths [] m))
  ([prefix m]
   (if (and (map? m) (seq m))
     (mapcat (fn [[k v]] (leaf-paths (conj prefix k) v)) m)
     [[prefix m]])))

(defn path->str [path]
  (str/join "." (map #(if (keyword? %) (name %) (str %)) path)))

(defn drift [a b]
  (let [[only-a only-b both] (data/diff a b)]
    {:left  (into (sorted-map) (map (fn [[p v]] [(path->str p) v])) (leaf-paths only-a))
     :right (into (sorted-map) (map (fn [[p v]] [(path->str p) v])) (leaf-paths only-b))
     :same  (count (leaf-paths both))}))

(defn mask [m]
  (walk/postwalk
    (fn [x] (if (and (map-entry? x) (= "DB" (key x))) [(key x) "***"] x))
    m))

(let [{:keys [left right same]} (drift (mask staging) (mask production))
      changed (filter #(contains? right %) (keys left))]
  (doseq [k changed]
    (println (format "%-14s %s -> %s" k (pr-str (left k)) (pr-str (right k)))))
  {:changed (vec changed)
   :removed (sort (remove (set (keys right)) (keys left)))
   :added   (sort (remove (set (keys left)) (keys right)))
   :same    same
   :sets    (map sort (data/diff (set (keys staging)) (set (keys production))))})
