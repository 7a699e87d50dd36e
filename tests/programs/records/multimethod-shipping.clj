;; Shipping rules by multimethods with hierarchies, preferences and a default.
(derive ::express ::courier)
(derive ::courier ::method)
(derive ::eu ::region)
(derive ::de ::eu)
(derive ::fr ::eu)
(derive ::us ::region)

(defmulti cost "Cost of an order." (fn [{:keys [method to]} & _] [method to]))
(defmethod cost [::courier ::eu] [{:keys [kg]} & _] (+ 5M (* kg 1.2M)))
(defmethod cost [::express ::region] [{:keys [kg]} & [surcharge]] (+ 20M (* kg 3M) (or surcharge 0)))
(defmethod cost :default [order & _] (throw (ex-info "No rule" (select-keys order [:method :to]))))
(prefer-method cost [::express ::region] [::courier ::eu])

(defn safe-cost [o & args]
  (try (apply cost o args)
       (catch clojure.lang.ExceptionInfo e
         [(ex-message e) (:to (ex-data e))])))

(defmulti describe-order (juxt :method (comp even? :kg)))
(defmethod describe-order [::express true] [o] (str "express even " (:kg o)))
(defmethod describe-order :default [{:keys [kg method]}] (str (name method) " " kg))

(def h (-> (make-hierarchy) (derive :rect :shape) (derive :square :rect)))
(defmulti area :kind :hierarchy #'h)
(defmethod area :rect [{:keys [w h]}] (* w h))
(defmethod area :square [{:keys [w]}] (* w w))

(println (sort (map name (descendants ::region))))
(println (isa? [::express ::de] [::courier ::eu]) (isa? h :square :shape))

(array-map
 :de (safe-cost {:method ::courier :to ::de :kg 2})
 :exp-fr (safe-cost {:method ::express :to ::fr :kg 1.5M} 2M)
 :exp-us (safe-cost {:method ::express :to ::us :kg 1})
 :none (safe-cost {:method ::courier :to ::us :kg 1})
 :desc (map describe-order [{:method ::express :kg 2} {:method ::express :kg 3}])
 :areas (mapv area [{:kind :rect :w 2 :h 3} {:kind :square :w 4}])
 :no-area (try (area {:kind :circle}) (catch IllegalArgumentException e (.getMessage e)))
 :methods (count (methods cost))
 :get (some? (get-method area :square))
 :removed (do (remove-method area :square) (area {:kind :square :w 4 :h 1}))
 :parents (parents ::express)
 :anc (sort (ancestors ::express))
 :undef (do (underive ::express ::courier) (isa? ::express ::courier)))
