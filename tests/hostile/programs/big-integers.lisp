;; ends in limit/fuel
(.modPow (biginteger 3) (.subtract (.shiftLeft BigInteger/ONE 200000) BigInteger/ONE) (.subtract (.shiftLeft BigInteger/ONE 100000) BigInteger/ONE))
;; ends in limit/fuel
(.modPow (biginteger 3) (.subtract (.shiftLeft BigInteger/ONE 200000) BigInteger/ONE) (.shiftLeft BigInteger/ONE 100000))
;; ends in limit/fuel
(loop [n (.shiftLeft BigInteger/ONE 2000)] (recur (.modPow n n (.setBit n 0))))
;; ends in limit/fuel
(.nextProbablePrime (.shiftLeft BigInteger/ONE 100000))
;; ends in limit/fuel
(loop [n (.shiftLeft BigInteger/ONE 500)] (recur (.nextProbablePrime n)))
;; ends in limit/fuel
(.isProbablePrime (.subtract (.shiftLeft BigInteger/ONE 216091) BigInteger/ONE) 100)
;; ends in limit/memory
(.shiftLeft BigInteger/ONE 1000000000)
;; ends in limit/memory
(.setBit BigInteger/ZERO 2147483647)
;; ends in value
(.shiftRight BigInteger/ONE 2147483647)
;; ends in value
(.shiftLeft BigInteger/ONE -2147483648)
;; ends in value
(.testBit BigInteger/ONE 2147483647)
;; ends in limit/memory
(.pow BigInteger/TEN 999999999)
;; ends in limit
(loop [n (.shiftLeft BigInteger/ONE 900000)] (.sqrt n) (recur n))
;; ends in limit/fuel
(let [n (.subtract (.shiftLeft BigInteger/ONE 300000) BigInteger/ONE)] (loop [] (.modInverse (.shiftRight n 1) n) (recur)))
;; ends in limit/fuel
(let [n (.shiftLeft BigInteger/ONE 900000)] (loop [] (.gcd n (.add n BigInteger/ONE)) (recur)))
;; ends in limit
(let [n (.shiftLeft BigInteger/ONE 900000)] (loop [] (.toByteArray n) (recur)))
;; ends in limit
(let [n (.shiftLeft BigInteger/ONE 900000)] (loop [] (.toString n 3) (recur)))
;; ends in limit
(let [n (.shiftLeft BigInteger/ONE 900000)] (loop [] (.bitCount n) (.not n) (.and n n) (recur)))
;; ends in limit
(loop [all [(.shiftLeft BigInteger/ONE 900000)]] (recur (conj all (.add (peek all) BigInteger/ONE))))
;; ends in limit
(BigInteger. (apply str (repeat 1000000 "f")) 16)
;; ends in limit/memory
(BigInteger. 1 (byte-array 1000000 1))
;; ends in limit/memory or arithmetic
(.sqrt 2M (MathContext. 2147483647))
;; ends in limit
(loop [] (.sqrt 2M (MathContext. 15000)) (recur))
;; ends in limit/memory or arithmetic
(.divide 1M 3M (MathContext. 2147483647))
;; ends in limit/memory or arithmetic
(.pow 1.1M 999999999 (MathContext. 2147483647))
;; ends in limit/memory
(.pow 1.1M 999999999 (MathContext. 50))
;; ends in limit/memory or arithmetic
(.toBigInteger (.scaleByPowerOfTen 1M 2147483647))
;; ends in arithmetic
(.longValueExact (.scaleByPowerOfTen 1M 10000))
;; ends in limit
(loop [n 1e300] (BigDecimal. 1e-300) (recur n))
;; ends in limit
(let [n (.shiftLeft BigInteger/ONE 900000)] (loop [] (format "%x" n) (format "%d" n) (recur)))
