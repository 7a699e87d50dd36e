;; All of an endless sequence.
(count (map inc (range)))
