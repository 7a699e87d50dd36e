; Run-length encode and decode text, and show the compression of bitmaps.
(require '[clojure.string :as str])

(defn encode [s]
  (->> s
       (partition-by identity)
       (map (fn [run] (str (when (> (count run) 1) (count run)) (first run))))
       (apply str)))

(defn decode [s]
  (->> (re-seq #"(\d*)(\D)" s)
       (mapcat (fn [[_ n c]]
                 (repeat (if (= "" n) 1 (Integer/parseInt n)) c)))
       str/join))

(def bitmap
  [".........."
   "..######.."
   "..#....#.."
   "..######.."
   ".........."])

(defn pack-bits [row]
  (reduce (fn [n c] (+ (* 2 n) (if (= c \#) 1 0))) 0 row))

(defn unpack-bits [width n]
  (let [bits (Long/toBinaryString n)]
    (-> (str (apply str (repeat (- width (count bits)) \0)) bits)
        (str/replace "0" ".")
        (str/replace "1" "#"))))

(let [encoded (map encode bitmap)
      packed  (map pack-bits bitmap)]
  (doseq [[row e p] (map vector bitmap encoded packed)]
    (println row e (format "%03x" p)))
  (println "same:" (= bitmap (map decode encoded)) (= bitmap (map #(unpack-bits 10 %) packed)))
  {:text   (encode "WWWWWWWWWWWWBWWWWWWWWWWWWBBBWWWW")
   :empty  [(encode "") (decode "")]
   :single (encode "abc")
   :back   (decode "3a2bc12 ")
   :ratio  (/ (reduce + (map count encoded)) (reduce + (map count bitmap)))
   :bits   [(bit-and 12 10) (bit-or 12 10) (bit-xor 12 10) (bit-shift-left 1 10) (bit-shift-right 1024 3) (bit-test 5 2)]})
