;; Parse durations like 1h30m, add them up and print them again, with checks.
(require '[clojure.string :as str])

(def unit->seconds {"w" 604800 "d" 86400 "h" 3600 "m" 60 "s" 1})

(defn parse-duration
  "\"1h 30m\" => 5400. Throws on anything else."
  [s]
  {:pre [(string? s)]
   :post [(nat-int? %)]}
  (let [parts (re-seq #"(\d+)\s*([wdhms])" s)
        rest-of (str/replace s #"\d+\s*[wdhms]\s*" "")]
    (when (or (empty? parts) (not (str/blank? rest-of)))
      (throw (ex-info (str "bad duration: " (pr-str s)) {:input s :left rest-of})))
    (apply + (for [[_ n u] parts]
               (* (Long/valueOf n) (unit->seconds u))))))

(defn format-duration [secs]
  (->> [["w" 604800] ["d" 86400] ["h" 3600] ["m" 60] ["s" 1]]
       (reduce (fn [[left out] [u size]]
                 (let [q (quot left size)]
                   [(rem left size)
                    (if (pos? q) (conj out (str q u)) out)]))
               [secs []])
       second
       (str/join " ")
       (#(if (= % "") "0s" %))))

(def inputs ["1h30m" "45 m" "2d 3h" "90s" "1w" "soon" "5x" "10"])

(defn try-parse [s]
  (try
    {:in s :seconds (parse-duration s)}
    (catch clojure.lang.ExceptionInfo e
      {:in s :error (ex-message e) :left (:left (ex-data e))})))

(def results (map try-parse inputs))

(doseq [{:keys [in seconds error]} results]
  (println (or error (str in " = " seconds " s = " (format-duration seconds)))))

(let [[ok bad] ((juxt filter remove) :seconds results)]
  {:total (format-duration (transduce (keep :seconds) + 0 results))
   :ok (count ok)
   :bad (mapv :in bad)
   :nil-input (try (parse-duration nil) (catch AssertionError e (first (str/split-lines (.getMessage e)))))})
