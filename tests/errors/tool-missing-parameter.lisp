;; A required parameter is missing.
(tool/search-reviews {:limit 5})
