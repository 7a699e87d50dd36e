;; An expression language with records: evaluation, printing and simplification as three protocols.
(defprotocol Eval (evaluate [e env]))
(defprotocol Show (show [e]))
(defprotocol Simplify (simplify [e]))

(defrecord Num [value])
(defrecord Var [id])
(defrecord Bin [op left right])
(defrecord Let [id bound body])

(def ops {:+ + :- - :* *})

(extend-type Num
  Eval (evaluate [e _] (:value e))
  Show (show [e] (str (:value e)))
  Simplify (simplify [e] e))

(extend-type Var
  Eval (evaluate [e env]
         (let [v (get env (:id e) ::none)]
           (if (= v ::none) (throw (ex-info (str "unbound " (name (:id e))) {:id (:id e)})) v)))
  Show (show [e] (name (:id e)))
  Simplify (simplify [e] e))

(extend-type Bin
  Eval (evaluate [{:keys [op left right]} env] ((ops op) (evaluate left env) (evaluate right env)))
  Show (show [{:keys [op left right]}] (str "(" (show left) " " (name op) " " (show right) ")"))
  Simplify (simplify [{:keys [op] :as e}]
             (let [l (simplify (:left e)), r (simplify (:right e))]
               (cond
                 (and (instance? Num l) (instance? Num r)) (->Num ((ops op) (:value l) (:value r)))
                 (and (= op :+) (= l (->Num 0))) r
                 (and (= op :+) (= r (->Num 0))) l
                 (and (= op :*) (or (= l (->Num 0)) (= r (->Num 0)))) (->Num 0)
                 (and (= op :*) (= l (->Num 1))) r
                 (and (= op :*) (= r (->Num 1))) l
                 :else (assoc e :left l :right r)))))

(extend-type Let
  Eval (evaluate [{:keys [id bound body]} env] (evaluate body (assoc env id (evaluate bound env))))
  Show (show [{:keys [id bound body]}] (str "let " (name id) " = " (show bound) " in " (show body)))
  Simplify (simplify [e] (-> e (update :bound simplify) (update :body simplify))))

(def program
  (->Let :x (->Bin :+ (->Num 2) (->Bin :* (->Num 0) (->Var :y)))
         (->Bin :* (->Bin :+ (->Var :x) (->Num 0)) (->Bin :- (->Num 10) (->Num 3)))))

(println (show program))
(println (show (simplify program)))

{:value   (evaluate program {:y 5})
 :simple  (simplify program)
 :unbound (try (evaluate program {}) (catch Exception e [(ex-message e) (:id (ex-data e))]))
 :vars    (->> program (tree-seq map? vals) (filter #(instance? Var %)) (map :id) distinct)
 :nodes   (frequencies (map (comp #(.getSimpleName ^Class %) class) (filter record? (tree-seq map? vals program))))}
