;; A text where a regex is due.
(re-find "a" "abc")
