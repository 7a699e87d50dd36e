;; Walk code as data: rename symbols, collect calls and rewrite forms in a macro.
(require '[clojure.walk :as walk]
         '[clojure.set :as set])

(defmacro with-aliases
  "Replaces symbols in the body by other symbols before it is compiled."
  [aliases & body]
  `(do ~@(walk/postwalk-replace aliases body)))

(defmacro debug-all
  "Prints each call of an arithmetic operator inside the form with its value."
  [form]
  (walk/postwalk
   (fn [f]
     (if (and (seq? f) (#{'+ '- '*} (first f)))
       `(let [v# ~f] (println '~(first f) "gave" v#) v#)
       f))
   form))

(defn called [form]
  (->> (tree-seq coll? seq form)
       (filter seq?)
       (map first)
       (filter symbol?)
       frequencies
       (into (sorted-map))))

(defn free-symbols
  "Symbols used in form that no let inside it binds."
  ([form] (free-symbols form #{}))
  ([form bound]
   (cond
     (symbol? form) (if (bound form) #{} #{form})
     (and (seq? form) (= 'let (first form)))
     (let [[_ bindings & body] form
           [bound' free] (reduce (fn [[b f] [s e]]
                                   [(conj b s) (set/union f (free-symbols e b))])
                                 [bound #{}]
                                 (partition 2 bindings))]
       (apply set/union free (map #(free-symbols % bound') body)))
     (coll? form) (apply set/union #{} (map #(free-symbols % bound) form))
     :else #{})))

(def code '(let [a (+ x 1) b (* a y)] (if (> a b) (- a b) (str a b z))))

(println (with-aliases {plus +, times *} (plus 1 (times 2 3))))
(println (debug-all (+ 1 (* 2 (- 7 3)))))

{:called (called code)
 :free (sort (free-symbols code))
 :renamed (walk/postwalk-replace '{a alpha b beta} code)
 :depth ((fn depth [f] (if (coll? f) (inc (reduce max 0 (map depth f))) 0)) code)
 :evaluated (eval (walk/prewalk-replace '{x 2 y 10 z "!"} code))
 :keywordized (walk/keywordize-keys {"a" {"b" 1}})}
