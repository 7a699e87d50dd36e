;; A tool that is not there.
(tool/custmer "c1")
