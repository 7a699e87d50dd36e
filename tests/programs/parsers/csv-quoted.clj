; A CSV reader with quoted fields, embedded newlines and doubled quotes, as a reduction over characters.
(ns csv.quoted
  (:require [clojure.string :as str]))

(def start {:state :field :field [] :row [] :rows []})

(defn end-field [{:keys [field] :as st}]
  (-> st (update :row conj (str/join field)) (assoc :field [] :state :field)))

(defn end-row [st]
  (let [{:keys [row] :as st} (end-field st)]
    (-> st (update :rows conj row) (assoc :row []))))

(defn step [{:keys [state field] :as st} c]
  (case [state c]
    [:field \"]  (if (empty? field)
                   (assoc st :state :quoted)
                   (throw (ex-info "quote inside a plain field" {:row (count (:rows st))})))
    [:field \,]  (end-field st)
    [:field \newline] (end-row st)
    [:field \return]  st
    [:quoted \"] (assoc st :state :quote)
    [:quote \"]  (-> st (assoc :state :quoted) (update :field conj c))
    [:quote \,]  (end-field st)
    [:quote \newline] (end-row st)
    (if (= state :quote)
      (throw (ex-info "text after a closing quote" {:char c}))
      (update st :field conj c))))

(defn read-csv [text]
  (let [{:keys [state row field] :as st} (reduce step start text)]
    (when (= state :quoted)
      (throw (ex-info "quote is not closed" {:field (str/join field)})))
    (:rows (if (and (empty? row) (empty? field)) st (end-row st)))))

(defn write-field [s]
  (if (re-find #"[\",\n]" s)
    (str \" (str/replace s "\"" "\"\"") \")
    s))

(defn write-csv [rows]
  (->> rows
       (map #(str/join "," (map write-field %)))
       (str/join "\n")))

(def text "id,name,remark\n1,\"Smith, Ann\",\"said \"\"hi\"\"\"\n2,Bo,\"two\nlines\"\n3,,\n")

(let [rows (read-csv text)
      [head & body] rows
      records (map (partial zipmap (map keyword head)) body)]
  (println (write-csv rows))
  (println (map count rows))
  {:records (vec records)
   :same    (= rows (read-csv (write-csv rows)))
   :empty   [(read-csv "") (read-csv "\n") (read-csv "a")]
   :blank   (->> records (filter (comp str/blank? :name)) (map :id))
   :errors  (map #(try (read-csv %) (catch Exception e [(.getMessage e) (ex-data e)]))
                 ["a,\"b" "a\"b" "\"a\"b"])})
