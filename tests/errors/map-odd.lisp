;; A map with a key and no value.
{:a 1 :b}
