; Convert names between camelCase, snake_case, kebab-case and titles, and make slugs.
(require '[clojure.string :refer [join split lower-case upper-case capitalize replace] :rename {replace str-replace}])

(defn words [s]
  (-> s
      (str-replace #"([a-z0-9])([A-Z])" "$1 $2")
      (str-replace #"([A-Z]+)([A-Z][a-z])" "$1 $2")
      (split #"[\s_\-]+")
      (->> (remove empty?)
           (map lower-case))))

(def kebab (comp (partial join "-") words))
(def snake #(join "_" (words %)))
(defn constant [s] (upper-case (snake s)))
(defn pascal [s] (->> s words (map capitalize) join))
(defn camel [s]
  (let [[w & ws] (words s)]
    (apply str w (map capitalize ws))))

(defn slug
  ([title] (slug title 30))
  ([title max-length]
   (let [s (-> title
               lower-case
               (str-replace #"&" " and ")
               (str-replace #"[^a-z0-9]+" "-")
               (str-replace #"^-+|-+$" ""))]
     (if (<= (count s) max-length)
       s
       (-> (subs s 0 max-length)
           (str-replace #"-[^-]*$" ""))))))

(defn convert-keys [f m]
  (into {} (for [[k v] m]
             [(keyword (f (name k)))
              (cond
                (map? v)  (convert-keys f v)
                (coll? v) (mapv #(if (map? %) (convert-keys f %) %) v)
                :else     v)])))

(doseq [s ["parseHTTPResponse" "user_first_name" "Some-Mixed caseText" "x"]]
  (println (join " | " ((juxt kebab snake constant pascal camel) s))))

{:slugs [(slug "Hello, World!") (slug "  Tom & Jerry: The Movie (1992) -- director's cut") (slug "!!!")]
 :keys  (convert-keys kebab {:firstName "A" :homeAddress {:zipCode 1 :streetLines [{:lineNo 1} "x"]}})
 :back  (convert-keys camel {:first-name "A"})}
