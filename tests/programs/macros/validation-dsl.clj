;; Define a small language of validation rules as a macro and check records with it.
(defmacro defvalidator
  "(defvalidator name (field test message) ...)"
  [name & rules]
  `(defn ~name [m#]
     (reduce
      (fn [errs# [field# ok?# msg#]]
        (if (ok?# (get m# field#))
          errs#
          (update errs# field# (fnil conj []) msg#)))
      {}
      [~@(for [[field test msg] rules]
           [(keyword field) test msg])])))

(defn between [lo hi] #(and (number? %) (<= lo % hi)))

(defvalidator check-user
  (name string? "must be text")
  (name #(< 2 (count %)) "is too short")
  (age (between 18 99) "must be 18 to 99")
  (email (partial re-find #"^[^@\s]+@[^@\s]+$") "is not an address"))

(defmacro valid-or
  "Runs body when there are no errors, else gives the errors to the handler."
  [[errs expr] body else]
  `(let [~errs ~expr]
     (if (empty? ~errs) ~body ~else)))

(def users
  [{:name "Maria" :age 30 :email "m@x.io"}
   {:name "Jo" :age 17 :email "jo@x.io"}
   {:name "Stan" :age 45 :email "stan at home"}])

(doseq [{:keys [name] :as u} users]
  (valid-or [errs (check-user u)]
            (println name "is fine")
            (doseq [[field msgs] errs, msg msgs]
              (println name "-" (clojure.core/name field) msg))))

(map (comp sort keys check-user) users)
