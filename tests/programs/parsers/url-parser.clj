; Take URLs apart and put them together again, with query parameters, escapes and relative paths.
(require '[clojure.string :as str])

(def url-re #"^(?:([a-z][a-z0-9+.-]*):)?(?://(?:([^@/]*)@)?([^:/?#]*)(?::(\d+))?)?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$")

(def default-ports {"http" 80 "https" 443 "ftp" 21})

(defn percent-decode [s]
  (-> s
      (str/replace "+" " ")
      (str/replace #"%([0-9A-Fa-f]{2})" (fn [[_ hex]] (str (char (Integer/parseInt hex 16)))))))

(defn percent-encode [s]
  (apply str (map #(if (re-matches #"[A-Za-z0-9._~-]" (str %)) % (format "%%%02X" (int %))) s)))

(defn parse-query [q]
  (if (str/blank? q)
    {}
    (->> (str/split q #"&")
         (map #(map percent-decode (str/split % #"=" 2)))
         (reduce (fn [m [k v]]
                   (let [k (keyword k) v (or v true)]
                     (cond
                       (not (contains? m k)) (assoc m k v)
                       (vector? (m k))       (update m k conj v)
                       :else                 (update m k vector v))))
                 {}))))

(defn parse-url [url]
  (let [[_ scheme user host port path query fragment] (re-matches url-re url)]
    (->> {:scheme scheme
          :user user
          :host (some-> host str/lower-case)
          :port (or (some-> port Integer/parseInt) (default-ports scheme))
          :path (when (seq path) path)
          :query (not-empty (parse-query query))
          :fragment fragment}
         (filter (comp some? val))
         (into {}))))

(defn build-url [{:keys [scheme host port path query] :or {path "/"}}]
  (str scheme "://" host
       (when (and port (not= port (default-ports scheme))) (str ":" port))
       path
       (when query
         (str "?" (str/join "&" (for [[k v] query
                                      v (if (vector? v) v [v])]
                                  (str (name k) "=" (percent-encode (str v)))))))))

(defn normalize-path [path]
  (str (when (str/starts-with? path "/") "/")
       (->> (str/split path #"/")
            (reduce (fn [acc part]
                      (case part
                        ("" ".") acc
                        ".."     (if (seq acc) (pop acc) acc)
                        (conj acc part)))
                    [])
            (str/join "/"))))

(doseq [u ["https://ann:pw@Example.ORG:8443/a/b.html?q=x+y&tag=1&tag=2&flag#top"
           "mailto:bob@example.org"
           "/just/a/path?x=%41%20b"
           "http://example.org"]]
  (println (parse-url u)))

[(build-url (parse-url "https://example.org:443/s?q=a%26b&n=1&n=2"))
 (map normalize-path ["/a/./b/../c" "a//b/" "../x" "/"])
 (-> (parse-url "http://h/p?a=1") :query :a parse-long)
 (percent-encode "50% off & more")]
