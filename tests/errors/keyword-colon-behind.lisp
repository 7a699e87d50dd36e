;; JSON or Python in the place of a map.
{name: "a", age: 5}
