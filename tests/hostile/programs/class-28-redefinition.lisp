;; ends in value
(defn str [& _] (loop [] (recur))) {:a 1}
;; ends in value
(defn pr-str [& _] (throw (ex-info "no" {}))) [1 2]
;; ends in parse or name or value or denied or type
(def if 1)
;; ends in value
(defn mapv [& _] :mine) (mapv inc [1]) (filterv odd? [1])
;; ends in value
(defn println [& _] nil) (print 1)
;; ends in value
(defn = [& _] true) (distinct [1 2 1])
;; ends in parse or name or value or denied or type
(defn let [x] x)
