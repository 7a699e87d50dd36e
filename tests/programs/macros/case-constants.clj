;; Dispatch corners: case on mixed constants, condp with functions, nested cond->, threading with anonymous functions.
(require '[clojure.string :as str])
(defn c [x] (case x 1 :one 1.0 :dbl \a :char "a" :str a :sym :a :kw nil :nil true :true [] :empty-vec {} :empty-map #{} :empty-set () :empty-list (2 3 "4") :multi (quote) :q [1 [2]] :nested {:k [1]} :mapc ::x :nskw -1 :neg 1/2 :ratio 1.50M :dec :default))
(println (map c [1 1.0 1N \a "a" 'a :a nil true [] {} #{} () 2 "4" 'quote [1 [2]] {:k [1]} ::x -1 1/2 1.50M false '(1 [2])]))
(defn sign [n] (condp #(%1 %2) n neg? :neg zero? :zero pos? :pos))
(defn find-in [x] (condp some [x] #{1 2} :>> (fn [v] [:low v]) #{3 4} :>> #(vector :high %) [:none x]))
(defn adjust [m {:keys [upper trim suffix n] :as o}]
  (cond-> m
    upper (update :s str/upper-case)
    trim (update :s str/trim)
    (and suffix (not (str/ends-with? (:s m) suffix))) (update :s str suffix)
    n (as-> m' (assoc m' :rep (apply str (repeat n (:s m')))))
    (empty? o) (assoc :untouched true)))
(println (map sign [-1 0 5]) (map find-in [1 4 9]))
(println (map #(adjust {:s " hi "} %) [{} {:upper true :trim true} {:suffix "!" :n 2} {:suffix " "}]))
(array-map
 :thread [(-> 5 (#(* % %)) inc ((fn [x] [x x])) (conj 1)) (->> [1 2 3] (map inc) (filter odd?) (#(conj (vec %) :end))) (-> {:a {:b [1 2]}} :a :b first str) (-> "a" keyword {:a 1}) (->> 1 (- 10) (/ 18)) (some-> {:a 1} :b inc) (some->> nil (map inc)) (-> [1 2] (nth 1) (cond-> true inc))]
 :doto (-> (doto (StringBuilder.) (.append "a") (.append 1)) str) :as (as-> {:n 1} x (update x :n inc) (:n x) (range x) (vec x))
 :when [(when-let [x (seq [])] x) (when-first [x [1 2]] x) (if-some [x false] [x] :none) (if-let [{:keys [a]} {:a nil}] [a] :no) (when-not nil 1 2) (if-not true 1)]
 :and [(and) (or) (and 1 nil 2) (or nil false 3) (and nil (throw (Exception. "x"))) (or 1 (throw (Exception. "y")))] :cond [(cond) (cond false 1) (cond nil 1 :else 2)]
 :loop (loop [i 0 acc []] (cond (= i 3) acc (odd? i) (recur (inc i) acc) :else (recur (inc i) (conj acc i)))) :dotimes (with-out-str (dotimes [i 3] (print i))) :while (let [a (atom 3) o (atom [])] (while (pos? @a) (swap! o conj @a) (swap! a dec)) @o))
