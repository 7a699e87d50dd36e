;; Own types with toString and comparison; stack machines by protocols; metadata extension refused elsewhere.
(defprotocol Stack (push [s x]) (pop* [s]) (top [s]) (size [s]))
(deftype ListStack [items]
  Stack
  (push [_ x] (ListStack. (cons x items)))
  (pop* [s] (if (empty? items) (throw (UnsupportedOperationException. "empty")) (ListStack. (rest items))))
  (top [_] (first items))
  (size [_] (count items))
  Object
  (toString [_] (apply str (interpose " " (reverse items)))))
(extend-protocol Stack
  clojure.lang.APersistentVector
  (push [v x] (conj v x)) (pop* [v] (pop v)) (top [v] (peek v)) (size [v] (count v))
  nil
  (push [_ x] (list x)) (pop* [_] nil) (top [_] nil) (size [_] 0))
(extend clojure.lang.PersistentList Stack {:push (fn [l x] (conj l x)) :pop* pop :top peek :size count})
(defn rpn [stack toks]
  (reduce (fn [s t] (if-let [f ({'+ + '- - '* * '/ /} t)]
                      (let [b (top s) s (pop* s) a (top s)] (push (pop* s) (f a b)))
                      (push s t)))
          stack toks))
(defrecord Money [amount cur]
  Comparable
  (compareTo [_ o] (if (= cur (:cur o)) (compare amount (:amount o)) (throw (IllegalArgumentException. (str "cannot compare " (sort [cur (:cur o)])))))))
(def ms (map ->Money [5M 1.5M 30M] (repeat :EUR)))
(println (str (rpn (ListStack. ()) '(3 4 + 2 *))) (top (rpn [] '(1 2 / 3 -))) (top (rpn nil '(7))))
{:sorted (map :amount (sort ms)) :max (:amount (last (sort-by identity ms)))
 :err (try (sort [(->Money 2 :EUR) (->Money 1 :USD)]) (catch IllegalArgumentException e (.getMessage e)))
 :empty (try (pop* (->ListStack ())) (catch UnsupportedOperationException e (.getMessage e)))
 :types [(instance? ListStack (push (->ListStack nil) 1)) (.-items (push (->ListStack nil) 1)) (vector? (push [] 1)) (size (push (push nil 1) 2))]
 :sm (:amount (first (sorted-set-by compare (->Money 2 :X) (->Money 1 :X)))) :cmp (compare (->Money 1 :A) (->Money 2 :A))
 :fns [(map top [[1 2] '(3 4) nil]) (mapv (comp size #(push % 0)) [[] nil '(1)])]}
