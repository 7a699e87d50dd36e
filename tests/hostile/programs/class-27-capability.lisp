;; ends in denied
(slurp "/etc/passwd")
;; ends in value
(eval '(+ 1 2))
;; ends in parse
#=(+ 1 2)
;; ends in value or parse or name
(let [^"java.lang.Runtime" x 1] x)
;; ends in value
(resolve 'str)
;; ends in denied
(alter-var-root (var str) (fn [_] inc))
;; ends in denied
(#'clojure.core/slurp "/etc/passwd")
;; ends in denied
(map slurp ["/etc/passwd"])
;; ends in denied
(clojure.java.io/reader "/etc/passwd")
;; ends in name
(System/exit 1)
;; ends in name
(System/getenv "HOME")
;; ends in value
(.getClass "a")
;; ends in name or parse or type
(new java.io.File "/")
;; ends in denied or name
(load-string "(slurp \"/etc/passwd\")")
;; ends in denied
(eval '(slurp "/etc/passwd"))
;; ends in name
(eval (read-string "(System/getenv \"HOME\")"))
;; ends in name
(load-string "(tool/hidden 1)")
;; ends in denied
(load-string "(ns user) (intern 'user 'x 1)")
;; ends in value
(future 1)
;; ends in denied
(intern 'user 'x 1)
;; ends in name or type
(.exec (Runtime/getRuntime) "ls")
;; ends in name
(tool/hidden 1)
;; ends in name
(clojure.java.shell/sh "ls")
;; ends in denied
(Class/forName "java.lang.Runtime")
