;; A key that names no parameter.
(tool/search-reviews {:category "Electronics" :max 5})
