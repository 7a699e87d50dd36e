;; Corners of regexes: flags, possessive and lazy quantifiers, back references, unicode classes, splitting and quoting.
(require '[clojure.string :as str])
(import '(java.util.regex Pattern Matcher))
(def tests
  [[#"(?i)héllo" "HÉLLO"] [#"(?iu)héllo" "HÉLLO"] [#"a++b" "aaab"] [#"<(.+?)>" "<a><b>"] [#"(\w)\1" "hello"] [#"(?<q>['\"]).*?\k<q>" "say 'hi' \"x\""]
   [#"\p{Lu}\p{Ll}+" "été Été"] [#"[\p{L}&&[^a-z]]+" "abcDEF"] [#"^\s*$" ""] [#"(?m)^b$" "a\nb\nc"] [#"(?s)a.b" "a\nb"] [#"a.b" "a\nb"] [#"\bfoo\b" "a foo b"]
   [#"(?=.*\d)(?=.*[a-z]).{4,}" "ab12"] [#"(?<!\d)\d{2}(?!\d)" "123 45 6"] [#"\Qa.b\E" "axb a.b"] [#"[^\W\d_]+" "12_ab"] [#"(a|b)*c" "ababc"] [#"(?x) \d+ # digits
 \s* px" "12 px"] [#"\u0041" "A"] [#"[\[\]]" "x]"] [#"\d{2,}?" "12345"] [#"(a)?(b)?c" "bc"] [#"\h+" "a \t b"] [#"\R" "a\r\nb"] [#"x*" "y"] [#"(?:ab){2}" "abab"] [#"[a-c&&[b-d]]" "abcd"] [#"\p{Punct}+" "hi!?"] [#"\p{IsAlphabetic}+" "1é2"] [#"\P{L}+" "ab12"] [#"(?i:A)b" "ab"] [#"\x41\t?" "A"] [#"\\" "a\\b"] [#"[-+]?\d" "-5"] [#"$" "ab"] [#"\A\d+\z" "12"] [#"(\d+)(?:px|em)" "10em"]])
(doseq [[re s] tests] (println (pr-str (re-find re s)) (pr-str (re-matches re s)) (count (re-seq re s))))
(array-map
 :repl [(str/replace "aXbX" #"X" "\\$") (str/replace "John Smith" #"(\w+) (\w+)" "$2, $1") (str/replace "abc" #"" "-") (str/replace "aaa" #"a*" "x") (str/replace "path/to" "/" "\\") (str/replace "x" #"x" (Matcher/quoteReplacement "$&")) (str/replace "2024-01" #"(?<y>\d+)-(?<m>\d+)" "${m}/${y}")]
 :split [(str/split "a1b2c" #"\d") (str/split "aXbxc" #"(?i)x") (str/split "a,b;c" #"[,;]") (str/split "  a b" #"\s+") (str/split "a||b" #"\|") (str/split "abc" #"(?<=b)") (str/split "" #"x") (str/split "xx" #"x") (str/split "a,b,c" #"," 2) (str/split "a,b,," #"," -1)]
 :pat [(str #"a\.b") (.pattern #"x+") (re-find (re-pattern (Pattern/quote "a.b*")) "a.b*") (= #"a" #"a") (boolean (re-find (Pattern/compile "ab" Pattern/CASE_INSENSITIVE) "xAB"))]
 :matcher (let [m (re-matcher #"(?<k>\w)=(?<v>\d+)" "a=1 b=22")] [(loop [acc []] (if (.find m) (recur (conj acc [(.group m "k") (.group m 2) (.start m "v") (.end m)])) acc)) (do (.reset m) (re-find m)) (re-groups m) (re-find m)])
 :all (.replaceAll (re-matcher #"\d" "a1b2") "<$0>") :app (let [m (re-matcher #"\d+" "a1b22c") sb (StringBuffer.)] (while (.find m) (.appendReplacement m sb (str "[" (* 2 (parse-long (.group m))) "]"))) (.appendTail m sb) (str sb))
 :sub (.lookingAt (re-matcher #"ab" "abc")) :splitas (vec (.split "a:b:c" ":")) :m (.matches "abc" "a.c"))
