;; ends in parse
#(+ %999999999 1)
;; ends in parse
#(+ %21 1)
;; ends in parse
#(+ %99999999999999999999999999 1)
;; ends in parse
#(#(+ % 1) 1)
;; ends in parse or name
#(+ %-1 1)
;; ends in value
(fn? #(+ %20 %1))
