;; A namespace that is not there.
(require '[clj-http.client :as http])
(http/get "https://example.com")
