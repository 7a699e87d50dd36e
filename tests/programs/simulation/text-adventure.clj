;; Play a text adventure from a list of commands against a world of nested maps.
(require '[clojure.string :as str])

(def world
  {:player {:at :hall :has #{}}
   :rooms {:hall {:text "a cold hall" :exits {:north :library :east :cellar} :items #{:lamp}}
           :library {:text "a dusty library" :exits {:south :hall} :items #{:book :key}}
           :cellar {:text "a dark cellar" :exits {:west :hall} :items #{:gold} :dark? true :locked? true}}
   :moves 0})

(defn here [w] (get-in w [:rooms (get-in w [:player :at])]))

(defn has? [w item] (contains? (get-in w [:player :has]) item))

(defn look [w]
  (let [{:keys [text items dark? exits]} (here w)]
    (if (and dark? (not (has? w :lamp)))
      "It is too dark to see."
      (str "You are in " text "."
           (when (seq items) (str " Here: " (str/join ", " (sort (map name items))) "."))
           " Exits: " (str/join ", " (sort (map name (keys exits)))) "."))))

(defn go [w dir]
  (let [target (get-in (here w) [:exits dir])
        room (get-in w [:rooms target])]
    (cond
      (nil? target) [w "You cannot go that way."]
      (and (:locked? room) (not (has? w :key))) [w "The door is locked."]
      :else (let [w' (assoc-in w [:player :at] target)]
              [w' (look w')]))))

(defn take-item [{{:keys [at]} :player :as w} item]
  (if (contains? (:items (here w)) item)
    [(-> w
         (update-in [:rooms at :items] disj item)
         (update-in [:player :has] conj item))
     (str "Taken: " (name item) ".")]
    [w (str "There is no " (name item) " here.")]))

(defn parse [line]
  (let [[verb noun] (-> line str/lower-case (str/replace #"\b(the|a|to)\b" "") str/trim (str/split #"\s+"))]
    [(keyword verb) (some-> noun keyword)]))

(defn act [w line]
  (let [[verb noun] (parse line)
        [w' message] (case verb
                       :look [w (look w)]
                       (:go :walk) (go w noun)
                       (:take :get) (take-item w noun)
                       :inventory [w (if-let [xs (seq (sort (get-in w [:player :has])))]
                                       (str "You have " (str/join " and " (map name xs)) ".")
                                       "You have nothing.")]
                       [w (format "I do not know how to \"%s\"." (name verb))])]
    (println ">" line)
    (println message)
    (update w' :moves inc)))

(def commands ["look" "inventory" "go east" "Go to North" "take the key" "get the sword" "dance"
               "walk south" "go east" "go west" "take lamp" "go east" "take gold" "inventory"])

(let [end (reduce act world commands)]
  {:won? (has? end :gold)
   :moves (:moves end)
   :has (sort (get-in end [:player :has]))
   :left (into (sorted-map) (for [[k {:keys [items]}] (:rooms end) :when (seq items)] [k items]))})
