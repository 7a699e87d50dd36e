;; A rate limiter with an own clock, with-redefs for tests, defonce, and private functions by var.
(ns limiter.core (:require [clojure.string :as str]))
(defonce ^:private clock (atom 0))
(defn now [] @clock)
(defn- refill [{:keys [tokens last rate cap]} t] {:tokens (min cap (+ tokens (* rate (- t last)))) :last t :rate rate :cap cap})
(defn bucket [rate cap] (atom {:tokens cap :last (now) :rate rate :cap cap}))
(defn try-take! [b n]
  (let [t (now)
        [old new] (swap-vals! b (fn [s] (let [s (refill s t)] (cond-> s (>= (:tokens s) n) (update :tokens - n)))))]
    (not= (:tokens (refill old t)) (:tokens new))))
(defmacro at [t & body] `(with-redefs [now (constantly ~t)] ~@body))
(def b (bucket 1/2 3))
(def results (vec (for [[t n] [[0 1] [0 1] [0 1] [0 1] [1 1] [2 1] [10 3] [10 1]]] [t (at t (try-take! b n))])))
(println (str/join " " (map (fn [[t ok]] (str t (if ok "+" "-"))) results)))
(defonce counter (atom 0)) (swap! counter inc) (defonce counter (atom 100))
(deftype Window [size ^clojure.lang.IPersistentVector times]
  Object (toString [_] (str "W" size times)))
(defn allow [^Window w t] (let [ts (filterv #(> % (- t (.-size w))) (.-times w))] (if (< (count ts) 2) [true (Window. (.size w) (conj ts t))] [false (Window. (.size w) ts)])))
{:tokens (:tokens @b) :counter @counter
 :window (let [[oks w] (reduce (fn [[oks w] t] (let [[ok w] (allow w t)] [(conj oks ok) w])) [[] (->Window 10 [])] [1 2 3 12 13 14])] [oks (str w)])
 :private (#'limiter.core/refill {:tokens 0 :last 0 :rate 1 :cap 5} 3)
 :redef-err (try (with-redefs [now (fn [] (throw (ex-info "clock" {})))] (try-take! b 1)) (catch Exception e [(ex-message e) (now)]))
 :vars (sort (remove #{"Window"} (map name (keys (ns-publics 'limiter.core))))) :resolve [(some? (resolve 'now)) (resolve 'nope) @@(resolve 'counter) (var? #'now)]
 :meta (let [m (meta #'try-take!)] [(:arglists m) (:name m) (str (:ns m))])}
