;; ends in value
(re-matches #"^(a+)+$" (apply str (concat (repeat 5000 "a") ["b"])))
;; ends in limit or parse or value
(re-pattern "((a{1000}){1000}){1000}")
;; ends in limit
(str/replace (apply str (repeat 50000 "a")) #"(a)" (apply str (repeat 5000 "$1")))
;; ends in value
(re-find #"(?=a)" "a")
;; ends in value
(re-find #"(a)\1" "aa")
;; ends in limit or value
(count (re-seq #"a.*?z|a" (apply str (repeat 60000 "a"))))
;; ends in limit or value
(count (re-seq #"(a.*?z)|(a)" (apply str (repeat 60000 "a"))))
;; ends in limit or value
(re-find #"(?:a?){200}a{200}" (apply str (repeat 150000 "a")))
;; ends in limit or value
(dotimes [i 100000000] (re-find #"(\w+)\s(\d+)" "the quick brown fox jumps over the lazy dog"))
;; ends in limit
(loop [i 0] (re-pattern (str "a{1,50}b{1,50}[a-z]+" i)) (recur (inc i)))
;; ends in limit
(loop [i 0 v []] (recur (inc i) (conj v (re-pattern (str "\\p{L}{1,5}" i)))))
;; ends in limit or value
(let [t (apply str (repeat 100000 "ab "))] (loop [] (re-seq #"\b\w+\b" t) (recur)))
;; ends in limit or parse or value
(re-pattern (apply str (repeat 20000 "(a|b)*")))
;; ends in limit or parse or value
(re-pattern (apply str (repeat 50000 "(")))
;; ends in limit or value
(re-find #".*.*.*.*x" (apply str (repeat 100000 "a")))
;; ends in limit or value
(str/split (apply str (repeat 500000 "a,")) #",")
;; ends in limit or parse or value
(re-find #"\p{L}{50}\p{N}{50}" (apply str (repeat 10000 "é")))
;; ends in limit
(loop [] (re-matches #"(?i)(?:[a-zé]+ ?)+x" (apply str (repeat 10000 "Éa "))) (recur))
;; ends in limit/memory
(loop [i 0 v []] (recur (inc i) (conj v (re-pattern (str "a{900}" i)))))
;; ends in limit
(loop [i 0 v []] (let [r (re-pattern (str "(x{60}|y)z" i))] (re-matches r "yz") (re-find r "yz") (recur (inc i) (conj v r))))
;; ends in limit or value
(re-find (re-pattern (str (apply str (repeat 700 "(a)?")) "b|c")) "aaaac")
;; ends in limit
(loop [i 0 v []] (let [s (re-seq (re-pattern (str "a.*?z|a|" i)) (apply str (repeat 800 "abc")))] (recur (inc i) (conj v (re-pattern (str "[a-z]{9}" i)) s))))
