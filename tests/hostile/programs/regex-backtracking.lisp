;; ends in value
;; The linear engine answers at once.
(re-matches #"^(a+)+$" (apply str (concat (repeat 5000 "a") ["b"])))
;; ends in limit/fuel
;; With a back-reference every way is tried, and each step is paid for.
(re-find #"(a+)+\1b" (apply str (repeat 50000 "a")))
;; ends in limit/fuel
(re-find #"(a|aa)+\1b" (apply str (repeat 50000 "a")))
;; ends in limit/fuel
(re-seq #"(?=(.*a.*))\1b" (apply str (repeat 100000 "a")))
;; ends in limit/fuel
;; A back-reference to a long text compares all of it: that is no single step.
(re-find #"(.*)\1b" (apply str (repeat 1000000 "a")))
;; ends in limit/fuel
(re-find #"(?i)(.*)(?:\1)*+b" (apply str (repeat 1000000 "aA")))
;; ends in limit
;; The stack of what could be undone is memory.
(re-find #"(?:(a)|(b))*(?!a)\1c" (apply str (repeat 20000000 "a")))
;; ends in limit or value
(re-find #"(?:(a)|(b))*(?!a)\1c" (apply str (repeat 2000000 "a")))
;; ends in limit/fuel
(re-find #"(?:(?:){1000000}){1000000}(?=a)" "b")
;; ends in limit/fuel
(re-find #"(?:(a{1000}){1000}){1000}+\1" (apply str (repeat 1000000 "a")))
;; ends in value
(count (first (re-find #"((a{100}){10}){10}\1?+" (apply str (repeat 20000 "a")))))
;; ends in limit/fuel
(re-find #"(?<=a{0,1000000})(?<=(?<=(?<=a{0,100000})a{0,100000})b{0,100000})c" (apply str (repeat 1000000 "a")))
;; ends in limit or value
(re-find (re-pattern (apply str (concat (repeat 100 "(?<=") ["a"] (repeat 100 ")")))) (apply str (repeat 100000 "a")))
;; ends in parse or value
(re-pattern (apply str (concat (repeat 20000 "(?=") ["a"] (repeat 20000 ")"))))
;; ends in limit
(re-pattern (apply str (repeat 1000000 "(?=a)")))
;; ends in limit
(re-pattern (apply str "(a)" (repeat 500000 "\\1")))
;; ends in limit
(re-pattern (apply str (repeat 3000 "(?=\\p{L}[a-z]?)")))
;; ends in limit
(re-pattern (apply str (for [i (range 3000)] (str "(?=[\\p{L}" i "])"))))
;; ends in limit
(loop [i 0 v []] (recur (inc i) (conj v (re-pattern (str "(?=\\p{L}{1,5})" i)))))
;; ends in limit
(loop [i 0 v []] (let [s (re-seq (re-pattern (str "(?:a|b)+(?!c)" i)) (apply str (repeat 800 "abc")))] (recur (inc i) (conj v s (re-pattern (str "(?=[a-z]{9})" i))))))
;; ends in limit
(dotimes [i 100000000] (re-find #"(?<=\s)(\w+)\s(?=\d+)" "the quick brown fox jumps over the lazy dog 9"))
;; ends in limit/fuel
(let [t (apply str (repeat 100000 "ab "))] (loop [] (str/replace t #"(?<=a)b(?= )" "$0$0") (recur)))
;; ends in limit
(re-seq (re-pattern (str "(?=x)|" (apply str (repeat 2000 "()")))) (apply str (repeat 100000 "a")))
;; ends in limit/fuel
;; Before a line end at the very end, the engine that backtracks is asked.
(re-find #"(?:a?){200}a{200}$" (str (apply str (repeat 150000 "a")) "b\n"))
;; ends in limit or value
(loop [i 0] (re-find (re-pattern (str "(?m)^a$" i)) "a\n") (recur (inc i)))
