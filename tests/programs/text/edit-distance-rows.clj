;; Edit distance with two rows of primitive arrays, and a spelling corrector on top of it.
(require '[clojure.string :as str])

(defn distance ^long [^String a ^String b]
  (let [m (.length b)
        prev (int-array (range (inc m)))
        curr (int-array (inc m))]
    (dotimes [i (.length a)]
      (aset curr 0 (inc i))
      (dotimes [j m]
        (aset curr (inc j)
              (int (min (inc (aget curr j))
                        (inc (aget prev (inc j)))
                        (+ (aget prev j) (if (= (.charAt a i) (.charAt b j)) 0 1))))))
      (System/arraycopy curr 0 prev 0 (inc m)))
    (aget prev m)))

(def dictionary
  (str/split "apple apply ape maple ample people purple temple simple" #" "))

(defn suggestions [word]
  (->> dictionary
       (map (juxt #(distance word %) identity))
       (filter #(<= (first %) 2))
       sort
       (map second)))

(defn correct [text]
  (str/replace text #"[a-z]+"
    (fn [w] (if (some #{w} dictionary) w (or (first (suggestions w)) (str "<" w ">"))))))

(let [pairs [["kitten" "sitting"] ["flaw" "lawn"] ["" "abc"] ["same" "same"]]]
  (doseq [[a b] pairs]
    (println (pr-str a) "->" (pr-str b) "=" (distance a b)))
  {:suggest (suggestions "aple")
   :fixed   (correct "aple simpl zzzzz")
   :matrix  (mapv (fn [a] (mapv #(distance a %) (take 3 dictionary))) (take 3 dictionary))
   :closest (apply min-key #(distance "peple" %) dictionary)})
