;; Keys of what is no map.
(keys "abc")
