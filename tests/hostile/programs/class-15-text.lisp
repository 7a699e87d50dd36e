;; ends in value
(subs "hé😀" 2 3)
;; ends in index or value
(subs "hé😀" 2 9)
;; ends in parse
"\uD800"
;; ends in parse
"\u12"
;; ends in value
(str/replace "é😀é" "😀" "")
;; ends in value
[(str/upper-case "ßﬀ") (str/capitalize "ßa") (str/reverse "é😀") (str/index-of "é😀a" "a") (.substring "é😀a" 1)]
;; ends in value
(count "a\u0000b")
;; ends in parse or name
﻿(str "byte order mark
;; ends in value or type or value
(char 55296)
;; ends in value
(re-seq #"." "é😀\r\n")
;; ends in value
(str/split "é,😀" #",")
;; ends in value or parse or value
(json/parse-string "\"\\ud83d\"")
;; ends in value
(json/parse-string "\"\\ud83d\\ude00\"")
;; ends in value
(pr-str "‮​\u2028" \é \u0000)
