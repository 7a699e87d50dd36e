;; The environment of the process.
(System/getenv "HOME")
