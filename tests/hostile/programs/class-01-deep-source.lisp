;; ends in limit/depth
{{200000*(}}
;; ends in limit/depth
{{200000*'}}x
;; ends in limit/depth
{{100000*#_}}
;; ends in limit/depth
(-> 0 {{50000*inc }})
;; ends in limit/depth
(let [{{60000*[}}a{{60000*]}} 1] a)
;; ends in limit/depth
{{60000*{:a }}
;; ends in limit/depth
{{50000*@}}x
;; ends in limit/depth
{{60000*#{}}
;; ends in limit/depth or parse
{{50000*^:a }}x
;; ends in limit/depth
(fn {{20000*(fn [] }}1
;; ends in limit/depth
(->> 0 {{30000*(inc) }})
;; ends in limit/depth or parse
(edn/read-string (apply str (repeat 200000 "[")))
;; ends in limit/depth or limit/fuel or parse
(json/parse-string (apply str (repeat 200000 "[")))
