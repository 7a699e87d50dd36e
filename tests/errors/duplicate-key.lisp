;; A key twice.
{:name "a" :age 5 :name "b"}
