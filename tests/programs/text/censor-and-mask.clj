; Mask e-mail addresses, card numbers and bad words, using groups and look-around.
(ns mask.core
  (:require [clojure.string :as str]))

(defn mask-email [[_ user domain]]
  (let [shown (min 2 (count user))]
    (str (subs user 0 shown) (str/join (repeat (- (count user) shown) "*")) "@" domain)))

(defn mask-card [number]
  (let [digits (str/replace number #"\D" "")]
    (if (= 16 (count digits))
      (str "**** **** **** " (subs digits 12))
      number)))

(def bad-words ["darn" "heck"])

(defn censor [s]
  (reduce (fn [text w]
            (str/replace text
                         (re-pattern (str "(?i)\\b" w "(?=\\b|s\\b)"))
                         (fn [m] (str (first m) (apply str (repeat (dec (count m)) \*))))))
          s
          bad-words))

(def thousands #(str/replace (str %) #"\B(?=(\d{3})+(?!\d))" ","))

(defn mask [s]
  (-> s
      (str/replace #"([\w.]+)@(\w+(?:\.\w+)+)" mask-email)
      (str/replace #"\b(?:\d{4}[ -]?){3}\d{4}\b" mask-card)
      censor))

(def text "Darn! Mail ann.smith@example.co.uk or bo@x.org, card 4111-1111-1111-1234; order 12345. What the heck, hecks?")
(println (mask text))

(def password-rules
  {:length  #".{8,}"
   :digit   #"\d"
   :upper   #"[A-Z]"
   :special #"[^A-Za-z0-9]"
   :repeat  #"^(?!.*(.)\1\1).*$"})

(defn broken-rules [password]
  (sort (for [[rule re] password-rules
              :when (not (re-find re password))]
          rule)))

[(map thousands [1 1000 1234567 100200300])
 (map broken-rules ["Secret-123" "aaab" "LONGPASSWORD1"])
 (re-seq #"(?<=\$)\d+(?:\.\d\d)?" "costs $5 or $12.50, not 7")
 (str/split "aXbYc" #"(?=[A-Z])")]
