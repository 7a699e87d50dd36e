;; No name is near: a special form of one other letter is no suggestion.
(foo 1)
