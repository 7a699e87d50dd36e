;; A method of a text that grows which is not there.
(let [sb (StringBuilder.)] (.appendCodePoint sb 97) (str sb))
