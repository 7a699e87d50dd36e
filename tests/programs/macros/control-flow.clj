;; Define the small control macros that people miss and use them on a data task.
(defmacro unless [test & body]
  `(if ~test nil (do ~@body)))

(defmacro while-let
  "Runs body while the expression gives a true value."
  [[sym expr] & body]
  `(loop []
     (when-let [~sym ~expr]
       ~@body
       (recur))))

(defmacro dotimes-collect [[i n] & body]
  `(loop [~i 0 acc# []]
     (if (< ~i ~n)
       (recur (inc ~i) (conj acc# (do ~@body)))
       acc#)))

(defmacro my-or
  ([] nil)
  ([x] x)
  ([x & more] `(let [v# ~x] (if v# v# (my-or ~@more)))))

(def queue (atom [3 1 2]))

(defn pop-queue! []
  (let [x (first @queue)]
    (swap! queue (comp vec rest))
    x))

(while-let [job (pop-queue!)]
  (unless (= job 1)
    (println "job" job)))

(def calls (atom 0))
(defn expensive [x] (swap! calls inc) x)

{:squares (dotimes-collect [i 5] (* i i))
 :or (my-or nil false (expensive 7) (expensive 8))
 :calls @calls
 :unless [(unless true 1) (unless false 1 2)]
 :expanded (macroexpand-1 '(unless a b c))
 :empty (my-or)}
