; Kinds of animals in a hierarchy made with derive, and functions that dispatch on it.
(derive ::dog ::mammal)
(derive ::cat ::mammal)
(derive ::mammal ::animal)
(derive ::parrot ::bird)
(derive ::bird ::animal)

(defmulti sound
  "What an animal says."
  :kind)
(defmethod sound ::dog [_] "woof")
(defmethod sound ::mammal [{:keys [name]}] (str name " makes a mammal's noise"))
(defmethod sound ::animal [a] (str "some noise of " (clojure.core/name (:kind a))))
(defmethod sound :default [x] (throw (ex-info "not an animal" x)))

(defmulti meet (fn [a b] [(:kind a) (:kind b)]))
(defmethod meet [::dog ::cat] [a b] :chase)
(defmethod meet [::mammal ::mammal] [a b] :sniff)
(defmethod meet [::animal ::animal] [a b] :ignore)
(prefer-method meet [::dog ::cat] [::mammal ::mammal])

(defn animal [kind name] {:kind kind :name name})

(def rex (animal ::dog "Rex"))
(def tom (animal ::cat "Tom"))
(def polly (animal ::parrot "Polly"))

(doseq [a [rex tom polly]]
  (println (:name a) "-" (sound a)))

(defmulti area (fn [shape & _] (first shape)))
(defmethod area :circle [[_ r] & {:keys [pi] :or {pi 3}}] (* pi r r))
(defmethod area :rect [[_ w h] & _] (* w h))

{:meetings (for [a [rex tom polly] b [rex tom polly] :when (not= a b)] (meet a b))
 :isa      [(isa? ::dog ::animal) (isa? ::dog ::bird) (parents ::dog) (isa? [::dog ::cat] [::mammal ::animal])]
 :ancestors (sort (ancestors ::parrot))
 :descendants (sort (descendants ::mammal))
 :methods  (sort (map (comp str key) (methods sound)))
 :error    (try (sound {:kind :rock}) (catch Exception e [(ex-message e) (ex-data e)]))
 :area     [(area [:circle 2]) (area [:circle 2] :pi 3.14) (area [:rect 2 5])]}
