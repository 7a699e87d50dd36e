;; An item twice.
#{1 2 1}
