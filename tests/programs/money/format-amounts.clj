;; Format amounts with thousands separators, signs and currency symbols, and read them back.
(require '[clojure.string :as str])

(def currencies
  {:usd {:symbol "$" :digits 2 :before? true}
   :eur {:symbol "€" :digits 2 :thousands "." :decimal ","}
   :jpy {:symbol "¥" :digits 0 :before? true}})

(defn group-thousands [s sep]
  (->> (reverse s)
       (partition-all 3)
       (map #(apply str %))
       (str/join (str/reverse sep))
       str/reverse))

(defn group-by-regex [s sep]
  (str/replace s #"(?<=\d)(?=(\d{3})+$)" sep))

(defn money-str
  ([amount] (money-str amount :usd))
  ([amount currency]
   (let [{:keys [symbol digits thousands decimal before?]
          :or {thousands "," decimal "."}} (get currencies currency)
         rounded (.setScale (bigdec amount) digits java.math.RoundingMode/HALF_EVEN)
         [whole frac] (str/split (.toPlainString (.abs rounded)) #"\.")
         digits-str (str (group-thousands whole thousands)
                         (when frac (str decimal frac)))
         text (if before? (str symbol digits-str) (str digits-str " " symbol))]
     (if (neg? amount) (str "(" text ")") text))))

(defn parse-money [s]
  (let [negative? (str/starts-with? s "(")
        digits (str/replace s #"[^0-9.,]" "")
        plain (if (re-find #",\d{2}$" digits)
                (-> digits (str/replace "." "") (str/replace "," "."))
                (str/replace digits "," ""))
        n (bigdec plain)]
    (if negative? (- n) n)))

(def samples [[1234567.891M :usd] [-99.995M :usd] [1234.5M :eur] [1000000 :jpy] [0.125M :usd] [0.135M :usd]])

(doseq [[a c] samples]
  (let [s (money-str a c)]
    (println s "=>" (parse-money s))))

{:grouped (map #(group-by-regex % "_") ["1" "123" "1234" "1234567"])
 :default (money-str 42)
 :same? (every? (fn [n] (= (group-thousands (str n) ",") (group-by-regex (str n) ",")))
                [0 12 999 1000 98765432100])}
