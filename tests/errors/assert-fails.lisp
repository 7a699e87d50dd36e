;; An assertion with words.
(assert (pos? (count [])) "there must be orders")
