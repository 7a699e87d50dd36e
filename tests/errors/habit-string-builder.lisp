;; A text that grows in place.
(let [sb (StringBuilder.)] (.append sb "a") (str sb))
