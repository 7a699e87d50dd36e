;; ends in value
;; A pattern of 30,000 letters is refused by name before anything is made of it, and one of nested brackets too.
[(try (DateTimeFormatter/ofPattern (apply str (repeat 30000 "y"))) (catch Exception e (subs (ex-message e) 0 25)))
 (try (DateTimeFormatter/ofPattern (apply str (repeat 1000 "["))) (catch Exception e (subs (ex-message e) 0 25)))]
