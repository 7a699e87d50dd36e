;; ends in limit
(binding [*print-length* 1000000000] (pr-str (range)))
;; ends in limit
(binding [*print-level* 1000000] (pr-str (range)))
;; ends in limit
(defn f [] (lazy-seq [(f)])) (binding [*print-length* 1] (pr-str (f)))
;; ends in limit
(binding [*print-length* 5] (loop [v [1]] (pr-str v) (recur [v v])))
;; ends in limit or value
(binding [*print-level* 3] (count (pr-str (loop [v [1] n 0] (if (< n 400) (recur [v v] (inc n)) v)))))
;; ends in limit
(binding [*print-level* 400] (count (pr-str (loop [v [1] n 0] (if (< n 300) (recur [v v] (inc n)) v)))))
;; ends in limit
(binding [*print-meta* true] (pr-str (loop [v [] n 0] (if (< n 100000) (recur (with-meta [] {:m v}) (inc n)) v))))
;; ends in limit
(binding [*print-namespace-maps* true] (loop [] (pr-str (zipmap (map #(keyword "a" (str %)) (range 1000)) (range))) (recur)))
;; ends in limit
((fn f [] (binding [*print-length* 1] (f))))
;; ends in limit
(binding [*print-length* 100000000] (println (map #(apply str (repeat 1000 %)) (range))))
;; ends in limit
(binding [clojure.pprint/*print-right-margin* nil] (loop [v [1]] (with-out-str (pprint v)) (recur [v v])))
;; ends in limit
(binding [clojure.pprint/*print-right-margin* 100000] (let [v (vec (range 40000))] (loop [] (with-out-str (pprint [[v] [v]])) (recur))))
