;; A pattern that is none.
(let [{:keys id} {:id 1}] id)
