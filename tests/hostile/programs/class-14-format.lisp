;; ends in value or limit or arithmetic
(format "%999999999d" 1)
;; ends in value or limit
(format "%.65536f" 1.5)
;; ends in value or limit
(format "%99999999999999999999d" 1)
;; ends in value or limit
(format "%999999999$s" 1)
;; ends in value
(try (format "%s") (catch Exception e :missing))
;; ends in value
(try (format "%" 1) (catch Exception e :cut))
;; ends in value or limit
(count (format "%1000s" "a"))
;; ends in limit or value
(format (apply str (repeat 100000 "%1000s")) 1)
;; ends in limit
(loop [] (format "%.900f" 1e300) (recur))
;; ends in value or type
(format "%d" "x")
