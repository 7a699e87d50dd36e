;; Macros are not there.
(defmacro unless [test body] `(if ~test nil ~body))
