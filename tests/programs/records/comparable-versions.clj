;; Parse version numbers into records that can be compared and sort releases by them.
(require '[clojure.string :as str])

(defrecord Version [major minor patch pre]
  Comparable
  (compareTo [this other]
    (let [nums (juxt :major :minor :patch)
          c (compare (nums this) (nums other))]
      (cond
        (not (zero? c)) c
        (= (:pre this) (:pre other)) 0
        (nil? (:pre this)) 1
        (nil? (:pre other)) -1
        :else (compare (:pre this) (:pre other)))))
  Object
  (toString [_]
    (cond-> (str/join "." [major minor patch])
      pre (str "-" pre))))

(defn parse-version [s]
  (if-let [[_ & parts] (re-matches #"v?(\d+)\.(\d+)(?:\.(\d+))?(?:-([\w.]+))?" s)]
    (let [[major minor patch] (map #(Integer/parseInt (or % "0")) (take 3 parts))]
      (->Version major minor patch (nth parts 3)))
    (throw (ex-info "Not a version" {:input s}))))

(defn bump [v part]
  (case part
    :major (assoc v :major (inc (:major v)) :minor 0 :patch 0 :pre nil)
    :minor (-> v (update :minor inc) (assoc :patch 0 :pre nil))
    :patch (-> v (update :patch inc) (assoc :pre nil))))

(defn compatible? [a b]
  (and (= (:major a) (:major b))
       (not (neg? (compare b a)))))

(def tags ["v1.10.0" "1.2.3" "1.2.3-beta" "1.2" "2.0.0-rc.1" "1.2.3-alpha" "v2.0"])

(def sorted (sort (map parse-version tags)))

(println (str/join " < " sorted))

{:latest (str (last sorted))
 :stable (str (last (remove :pre sorted)))
 :next (mapv #(str (bump (parse-version "1.2.3-beta") %)) [:major :minor :patch])
 :compatible (map #(compatible? (parse-version "1.2.3") (parse-version %)) tags)
 :max (str (reduce (fn [a b] (if (pos? (compare a b)) a b)) sorted))
 :bad (try (parse-version "one.two") (catch Exception e (ex-data e)))}
