;; Text that is no JSON.
(json/parse-string "{\"a\": 1,}")
