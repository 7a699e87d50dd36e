; Turn Markdown with headings, lists, emphasis, links and code into HTML.
(ns md.core
  (:require [clojure.string :as str]))

(defn escape-html [s]
  (str/escape s {\< "&lt;" \> "&gt;" \& "&amp;"}))

(defn inline [s]
  (-> (escape-html s)
      (str/replace #"`([^`]+)`" "<code>$1</code>")
      (str/replace #"\*\*(.+?)\*\*" "<strong>$1</strong>")
      (str/replace #"(?<!\*)\*([^*]+)\*(?!\*)" "<em>$1</em>")
      (str/replace #"\[([^\]]+)\]\(([^)]+)\)" "<a href=\"$2\">$1</a>")))

(defn classify [line]
  (condp re-find line
    #"^\s*$"          :>> (fn [_] [:blank])
    #"^(#{1,6}) (.*)" :>> (fn [[_ hashes text]] [:heading (count hashes) text])
    #"^[-*] (.*)"     :>> (fn [[_ text]] [:item text])
    #"^> ?(.*)"       :>> (fn [[_ text]] [:quote text])
    [:text line]))

(defmulti render-block (fn [[kind & _] & _] kind))
(defmethod render-block :heading [[_ n text]]
  (str "<h" n ">" (inline text) "</h" n ">"))
(defmethod render-block :list [[_ & items]]
  (str "<ul>" (apply str (map #(str "<li>" (inline %) "</li>") items)) "</ul>"))
(defmethod render-block :quote [[_ & lines]]
  (str "<blockquote>" (inline (str/join " " lines)) "</blockquote>"))
(defmethod render-block :default [[_ & lines]]
  (str "<p>" (inline (str/join " " lines)) "</p>"))

(defn blocks [text]
  (->> (str/split-lines text)
       (map classify)
       (partition-by first)
       (mapcat (fn [group]
                 (case (ffirst group)
                   :blank   []
                   :heading group
                   :item    [(into [:list] (map second) group)]
                   :quote   [(into [:quote] (map second group))]
                   [(into [:p] (map second group))])))))

(def source "# Title with *style*

Some **bold** text with `code < 1`
on two lines & a [link](http://x.org).

- one
- two **2**

> quoted
> words
## End")

(let [html (map render-block (blocks source))]
  (run! println html)
  {:kinds (mapv first (blocks source)) :size (count (str/join html))})
