;; ends in value
(def d (reduce (fn [v _] [v]) [] (range 9000))) [(count (pr-str d)) (= d d) (hash d) (count (str d))]
;; ends in value
(def d (reduce (fn [v _] [v]) [] (range 9000))) (def e (reduce (fn [v _] [v]) [] (range 9000))) [(= d e) (compare d e)]
;; ends in limit or value or type
(json/generate-string (reduce (fn [v _] [v]) [] (range 9000)))
;; ends in type
(+ 1 (reduce (fn [v _] [v]) [] (range 9000)))
;; ends in value
(def d (reduce (fn [v _] {:k v}) {} (range 9000))) (count (flatten [d]))
;; ends in thrown
(throw (ex-info "deep" {:d (reduce (fn [v _] [v]) [] (range 9000))}))
;; ends in value or limit/depth
(count (walk/postwalk identity (reduce (fn [v _] [v]) [] (range 4000))))
;; ends in limit/depth or parse
(count (edn/read-string (pr-str (reduce (fn [v _] [v]) [] (range 9000)))))
;; ends in value
(count (set [(reduce (fn [v _] [v]) [] (range 9000)) (reduce (fn [v _] [v]) [] (range 9000))]))
;; ends in value or limit
(with-out-str (pprint (reduce (fn [v _] [v]) [] (range 3000))))
;; ends in value
(def d (reduce (fn [v _] {:k v}) {} (range 9000))) (get-in d (repeat 8000 :k)) nil
