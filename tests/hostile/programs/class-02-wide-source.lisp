;; ends in limit/source
{{1000000*(}}
;; ends in value
{{30000*(inc 1) }}
;; ends in value
(count [{{20000*(inc 1) }}])
;; ends in parse
(count (str {{250000*7}}))
;; ends in limit/source
"{{33000000*a}}"
;; ends in value
(count "{{250000*a}}")
;; ends in parse or name or value
(hash-map {{50000*:a 1 }})
;; ends in value
(count (pr-str '({{80000*a }})))
;; ends in parse or arithmetic or value
(+ 1.{{200000*0}}1 1)
;; ends in value
(cond {{10000*false 0 }} :else 1)
