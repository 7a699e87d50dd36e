;; Render documents to Markdown and HTML through multimethods that dispatch on two things.
(require '[clojure.string :as str])

(defmulti render (fn [fmt node] [fmt (if (string? node) :text (first node))]))

(defmethod render [:md :text] [_ s] s)
(defmethod render [:html :text] [_ s]
  (str/escape s {\< "&lt;" \> "&gt;" \& "&amp;"}))

(defn render-all [fmt nodes]
  (str/join (map (partial render fmt) nodes)))

(defmethod render [:md :h] [fmt [_ level & body]]
  (str (str/join (repeat level "#")) " " (render-all fmt body) "\n\n"))
(defmethod render [:html :h] [fmt [_ level & body]]
  (format "<h%d>%s</h%d>\n" level (render-all fmt body) level))

(defmethod render [:md :p] [fmt [_ & body]]
  (str (render-all fmt body) "\n\n"))
(defmethod render [:html :p] [fmt [_ & body]]
  (str "<p>" (render-all fmt body) "</p>\n"))

(defmethod render [:md :b] [fmt [_ & body]] (str "**" (render-all fmt body) "**"))
(defmethod render [:html :b] [fmt [_ & body]] (str "<b>" (render-all fmt body) "</b>"))

(defmethod render [:md :ul] [fmt [_ & items]]
  (str (str/join "\n" (map #(str "- " (render fmt %)) items)) "\n"))
(defmethod render [:html :ul] [fmt [_ & items]]
  (str "<ul>" (apply str (map #(str "<li>" (render fmt %) "</li>") items)) "</ul>\n"))

(defmethod render :default [fmt [tag]]
  (str "<!-- " (name fmt) ": no " (name tag) " -->"))

(def doc
  [[:h 1 "Costs"]
   [:p "Less is " [:b "more & better"] " if a < b."]
   [:ul "one" [:b "two"]]
   [:video "x.mp4"]])

(println (render-all :md doc))
(println (render-all :html doc))

{:methods (count (methods render))
 :has? (some? (get-method render [:md :ul]))
 :keys (->> (keys (methods render)) (filter vector?) (map second) distinct sort)
 :after (do (remove-method render [:html :b])
            (render :html [:b "x"]))}
