;; A name whose question mark belongs to it.
(zeroo? 1)
