;; Compute Easter and the movable holidays that depend on it for some years, and count leap years.
(defn easter
  "Month and day of Easter Sunday (anonymous Gregorian algorithm)."
  [year]
  (let [a (mod year 19)
        b (quot year 100)
        c (rem year 100)
        d (quot b 4)
        e (mod b 4)
        f (quot (+ b 8) 25)
        g (quot (+ (- b f) 1) 3)
        h (mod (+ (* 19 a) b (- d) (- g) 15) 30)
        i (quot c 4)
        k (mod c 4)
        l (mod (- (+ 32 (* 2 e) (* 2 i)) h k) 7)
        m (quot (+ a (* 11 h) (* 22 l)) 451)
        n (+ h l (* -7 m) 114)]
    [(quot n 31) (inc (mod n 31))]))

(def leap? (some-fn #(zero? (mod % 400)) (every-pred #(zero? (mod % 4)) #(pos? (mod % 100)))))

(defn month-lengths [year]
  (assoc [31 28 31 30 31 30 31 31 30 31 30 31] 1 (if (leap? year) 29 28)))

(defn day-of-year [year [m d]]
  (+ d (reduce + (take (dec m) (month-lengths year)))))

(defn from-day-of-year [year n]
  (loop [n n, m 1, [len & more] (month-lengths year)]
    (if (<= n len)
      [m n]
      (recur (- n len) (inc m) more))))

(defn shift [year date days]
  (from-day-of-year year (+ days (day-of-year year date))))

(def feasts (array-map :good-friday -2 :easter 0 :ascension 39 :pentecost 49))

(dotimes [i 3]
  (let [y (+ 2023 i)
        e (easter y)]
    (print y "")
    (doseq [[k offset] feasts
            :let [[m d] (shift y e offset)]]
      (print (str (name k) "=" (format "%02d-%02d" m d) " ")))
    (println)))

{:leap (filter leap? (range 1896 1920))
 :earliest (first (sort (map (juxt easter identity) (range 1900 2000))))
 :by-month (frequencies (map (comp {3 :march 4 :april} first easter) (range 2000 2010)))
 :same-day (->> (range 2000 2100)
                (group-by easter)
                (filter (fn [[_ ys]] (> (count ys) 4)))
                (sort-by key)
                (map (fn [[d ys]] [d (count ys)])))}
