;; Metadata: on collections, symbols, functions and vars; equality, propagation and tests.
(def ^{:unit :kg :doc "Weights."} weights ^:raw [70 80])
(defn ^{:deprecated "1.2" :added "1.0"} old-fn "Old." {:author "ann"} [x & {:keys [deep]}] x)
(defn tag [x m] (vary-meta x merge m))
(def data (-> {:a 1} (with-meta {:source :db :line 3}) (assoc :b 2)))
(defmacro deftested [n args body & cases]
  `(defn ~(with-meta n {:test `(fn [] (doseq [[in# out#] ~(mapv vec (partition 2 cases))] (assert (= out# (apply ~n in#)))))}) ~args ~body))
(deftested add2 [a b] (+ a b) [1 2] 3 [0 0] 0)
(deftested wrong [a] (* a 2) [1] 3)
(defn run-tests [& vs] (for [v vs] [(:name (meta v)) (try (test v) (catch AssertionError e :failed))]))
(println (run-tests #'add2 #'wrong #'old-fn))
(println (meta data) (meta (into data {:c 3})) (meta (select-keys data [:a])) (meta (vec (seq data))) (meta (conj ^:x [1] 2)) (meta (map inc ^:y [1])) (meta (merge data {:z 1})) (meta (update data :a inc)) (meta (empty data)))
(array-map
 :eq [(= ^:a [1] ^:b [1]) (identical? data data) (= (with-meta 'x {:t 1}) 'x)]
 :var [(select-keys (meta #'weights) [:unit :doc]) (meta weights) (select-keys (meta #'old-fn) [:deprecated :added :author :doc :arglists])]
 :sym (meta '^{:k 1} s) :type-hint (meta '^String s) :kw (meta '^:dyn s) :multi (meta '^:a ^{:b 2} ^long s)
 :fn (let [f (with-meta (fn [x] (* x x)) {:cost 3})] [(f 4) (meta f)])
 :read (meta (first (read-string "[^{:a 1} x]")))
 :alter (do (alter-meta! #'weights assoc :unit :lb) (:unit (meta #'weights)))
 :reset (let [a (atom 1 :meta {:n 1})] (alter-meta! a update :n inc) (meta a))
 :tagged (-> [1] (tag {:x 1}) (tag {:y 2}) meta) :rec (do (defrecord R [a]) (meta (assoc (with-meta (->R 1) {:m 1}) :a 2)))
 :nil (try (with-meta nil {}) (catch NullPointerException e :npe)) :sorted (meta (sort ^:s [2 1])) :lazy (meta (with-meta (map inc [1]) {:l 1})))
