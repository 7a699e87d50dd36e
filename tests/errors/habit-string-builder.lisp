;; A text that grows in place.
(let [sb (StringBuffer.)] (.append sb "a") (str sb))
