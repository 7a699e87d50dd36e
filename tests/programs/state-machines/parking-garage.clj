; A parking garage by events: gates, spaces by size, fees by time, and invariants checked after each event.
(require '[clojure.string :as str])

(def fits {:motorbike [:small :medium :large]
           :car       [:medium :large]
           :truck     [:large]})

(def fee-table
  (sorted-map 30 0, 60 2.5, 180 6.0, Long/MAX_VALUE 20.0))

(defn fee [minutes]
  (val (first (subseq fee-table >= minutes))))

(defn ->minutes [hhmm]
  (let [[h m] (map #(Integer/parseInt %) (str/split hhmm #":"))]
    (+ (* 60 h) m)))

(defn enter [{:keys [free] :as garage} {:keys [plate kind at]}]
  (if-let [size (first (filter #(pos? (free % 0)) (fits kind)))]
    (-> garage
        (update-in [:free size] dec)
        (assoc-in [:parked plate] {:size size :kind kind :since (->minutes at)}))
    (update garage :turned-away conj plate)))

(defn leave [garage {:keys [plate at]}]
  (if-let [{:keys [size since]} (get-in garage [:parked plate])]
    (let [due (fee (- (->minutes at) since))]
      (-> garage
          (update-in [:free size] inc)
          (update :parked dissoc plate)
          (update :income + due)
          (update :receipts conj [plate due])))
    (update garage :problems (fnil conj []) (str "unknown plate " plate))))

(defn check [total garage]
  (assert (= total (+ (reduce + (vals (:free garage))) (count (:parked garage))))
          "spaces went missing")
  garage)

(def handlers {:enter enter :leave leave})

(defn process [garage events]
  (let [total (reduce + (vals (:free garage)))]
    (reduce (fn [g {:keys [event] :as e}]
              (check total ((handlers event) g e)))
            garage
            events)))

(def events
  [{:event :enter :plate "M1" :kind :motorbike :at "08:00"}
   {:event :enter :plate "C1" :kind :car :at "08:05"}
   {:event :enter :plate "C2" :kind :car :at "08:30"}
   {:event :enter :plate "T1" :kind :truck :at "08:40"}
   {:event :leave :plate "C2" :at "09:15"}
   {:event :enter :plate "T2" :kind :truck :at "09:20"}
   {:event :leave :plate "X9" :at "09:30"}
   {:event :leave :plate "M1" :at "11:59"}
   {:event :leave :plate "C1" :at "08:20"}])

(let [{:keys [parked income receipts turned-away problems free]}
      (process {:free {:small 1 :medium 1 :large 1} :parked {} :income 0.0 :receipts [] :turned-away #{}} events)]
  (printf "income %.2f%n" income)
  (doseq [[plate due] receipts]
    (println plate (format "%5.2f" (double due))))
  {:parked parked
   :turned-away turned-away
   :problems problems
   :free free
   :fees (map fee [10 30 31 180 181])
   :broken (try (check 99 {:free {} :parked {}}) (catch AssertionError e (first (str/split-lines (.getMessage e)))))})
