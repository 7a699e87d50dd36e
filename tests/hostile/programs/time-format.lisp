;; ends in limit
;; A long form printed for ever.
(let [form (DateTimeFormatter/ofPattern (apply str (repeat 60 "yyyy-MM-dd'T'EEEE")))]
  (loop [n 0] (.format (LocalDate/of 2024 1 31) form) (recur (inc n))))
