;; Older corners: with-local-vars, memfn, comparator, for with multiple :while.
(require '[clojure.string :as str])
(defn fact [n] (with-local-vars [acc 1 i n] (while (pos? @i) (var-set acc (* @acc @i)) (var-set i (dec @i))) (var-get acc)))
(defmacro dbg [x] `(let [r# ~x] (println (str '~x " = " (pr-str r#))) r#))
(dbg (map inc [1 2]))
(dbg {:a '(1 "x")})
(println (for [x (range 6) :while (< x 4) :when (even? x) y [x (inc x)] :let [z (* x y)] :while (< z 8)] [x y z]))
(println (str/join "," (for [a "ab" b [1 2]] (str a b))))
(defn ^:private hidden [] 1)
(defn opts [a & [b & {:as m}]] [a b m])
(letfn [(twice [f] (comp f f)) (add3 [x] (+ 3 x))] (println ((twice add3) 1) ((apply comp (repeat 3 add3)) 0)))
(array-map
 :fact (fact 6)
 :memfn (map (memfn toUpperCase) ["a" "b"]) :comparator (sort (comparator (fn [a b] (> (count a) (count b)))) ["a" "ccc" "bb"])
 :opts [(opts 1) (opts 1 2) (opts 1 2 :k 3)] :every [((every-pred pos? even?) 2 4) ((some-fn nil? zero?) 5 0) (every? #{1} []) (not-any? odd? [2]) (not-every? odd? [1 2])]
 :apply [(apply + 1 2 [3 4]) (apply max (vals {:a 1 :b 5})) (apply map vector [[1 2] [3 4]]) (apply str (interpose "-" [1 2]))]
 :numbers [(max-key count "a" "bb") (rationalize 1.5) (quot 17 5) (mod -17 5) (rem -17 5)]
 :destr (let [[a [b {:keys [c]}] & [d]] [1 [2 {:c 3}] 4 5]] [a b c d]) :pos (map (juxt pos? neg? zero?) [1 -1 0]) )
