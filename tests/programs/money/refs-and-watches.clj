;; Move money between accounts in transactions with refs, watches and validators.
(def checking (ref 100 :validator #(>= % 0)))
(def savings (ref 500))
(def history (atom []))

(add-watch savings :audit
           (fn [key _ref old new]
             (swap! history conj [key old new])))

(defn transfer! [from to amount]
  (dosync
   (alter from - amount)
   (alter to + amount)))

(transfer! savings checking 50)

(defn try-transfer! [from to amount]
  (try
    (transfer! from to amount)
    :done
    (catch IllegalStateException e
      (println "refused:" (.getMessage e))
      :refused)))

(def results
  (doall (for [n [100 70]]
           (try-transfer! checking savings n))))

(def interest (delay (println "computing interest") (long (* 0.1 @savings))))

(println (realized? interest))
(dosync (commute savings + @interest))
(println (realized? interest) @interest)

(def limited (atom 10 :validator pos?))

(def failed
  (try (swap! limited - 20)
       (catch Exception e (class e))))

(remove-watch savings :audit)
(dosync (ref-set checking 1))

{:balances (mapv deref [checking savings])
 :results results
 :history @history
 :limited @limited
 :failed (str failed)
 :vals (swap-vals! limited inc)
 :cas [(compare-and-set! limited 11 12) (compare-and-set! limited 99 5)]}
