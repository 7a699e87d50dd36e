; Command line arguments by a table of options: flags, values, repeated ones, defaults, validation and help.
(ns cli.args
  (:require [clojure.string :as str]))

(def specs
  [{:short "-v" :long "--verbose" :id :verbose :type :count :doc "Say more; may be repeated"}
   {:short "-o" :long "--output" :id :output :arg "FILE" :default "out.txt" :doc "Where to write"}
   {:short "-n" :long "--number" :id :number :arg "N" :parse #(Integer/parseInt %)
    :validate [pos? "must be positive"] :doc "How many"}
   {:long "--tag" :id :tags :arg "TAG" :type :many :doc "A tag; may be repeated"}
   {:short "-q" :long "--quiet" :id :quiet :doc "Say nothing"}])

(defn find-spec [opt]
  (first (filter #(or (= opt (:short %)) (= opt (:long %))) specs)))

(defn expand
  "Turns -vvq into -v -v -q and --a=b into --a b."
  [args]
  (mapcat (fn [a]
            (condp re-matches a
              #"(--[a-z-]+)=(.*)" :>> rest
              #"-([a-z]{2,})"     :>> (fn [[_ letters]] (map #(str "-" %) letters))
              [a]))
          args))

(defn parse-value [{:keys [parse validate long] :or {parse identity}} text]
  (let [v (try (parse text) (catch NumberFormatException _ ::bad))]
    (cond
      (= v ::bad) {:error (str long ": cannot read " (pr-str text))}
      (and validate (not ((first validate) v))) {:error (str long " " (second validate))}
      :else {:value v})))

(defn parse-args [args]
  (loop [[a & more] (expand args)
         result {:options (into {} (keep (fn [{:keys [id default]}] (when default [id default]))) specs)
                 :arguments []
                 :errors []}]
    (cond
      (nil? a)   result
      (= a "--") (update result :arguments into more)
      (not (str/starts-with? a "-")) (recur more (update result :arguments conj a))
      :else
      (if-let [{:keys [id type arg] :as spec} (find-spec a)]
        (cond
          (= type :count) (recur more (update-in result [:options id] (fnil inc 0)))
          (nil? arg)      (recur more (assoc-in result [:options id] true))
          (empty? more)   (update result :errors conj (str a " needs " arg))
          :else
          (let [{:keys [error value]} (parse-value spec (first more))]
            (recur (rest more)
                   (cond
                     error           (update result :errors conj error)
                     (= type :many)  (update-in result [:options id] (fnil conj []) value)
                     :else           (assoc-in result [:options id] value)))))
        (recur more (update result :errors conj (str "unknown option " a)))))))

(defn usage []
  (let [left (for [{:keys [short long arg]} specs]
               (str "  " (if short (str short ", ") "    ") long (some->> arg (str " "))))
        width (apply max (map count left))]
    (->> (map (fn [l {:keys [doc default]}]
                (str (format (str "%-" width "s  ") l) doc (when default (str " [" default "]"))))
              left specs)
         (str/join \newline))))

(println (usage))

(mapv parse-args
      [["-vvq" "in.txt" "--number=5" "--tag" "a" "--tag=b" "--" "-x"]
       ["-n" "zero"]
       ["-n" "-3" "--colour"]
       ["file" "-o"]
       []])
