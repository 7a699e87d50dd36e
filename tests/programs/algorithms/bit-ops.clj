;; Bits: masks, flags, population counts, CRC and gray codes.
(require '[clojure.string :as str])
(def flags {:read 1 :write 2 :exec 4 :admin 128})
(defn encode [ks] (reduce bit-or 0 (map flags ks)))
(defn decode [n] (into #{} (keep (fn [[k m]] (when (= m (bit-and n m)) k))) flags))
(defn popcount [n] (Long/bitCount n))
(defn bits [n w] (str/join (for [i (range (dec w) -1 -1)] (if (bit-test n i) 1 0))))
(defn gray [n] (bit-xor n (bit-shift-right n 1)))

(defn crc8 [bs]
  (reduce (fn [crc b]
            (loop [c (bit-xor crc b) i 0]
              (if (= i 8) c
                  (recur (bit-and 0xff (if (bit-test c 7) (bit-xor (bit-shift-left c 1) 0x07) (bit-shift-left c 1)))
                         (inc i)))))
          0 bs))

(defn fnv1a [s]
  (reduce (fn [h b] (unchecked-multiply (bit-xor h (bit-and b 0xff)) 1099511628211))
          -3750763034362895579
          (map int s)))

(defn ip->long [s] (reduce #(+ (* 256 %1) %2) (map parse-long (str/split s #"\."))))
(defn long->ip [n] (str/join "." (map #(bit-and 0xff (unsigned-bit-shift-right n %)) [24 16 8 0])))
(defn network [cidr]
  (let [[ip len] (str/split cidr #"/")
        mask (bit-and 0xffffffff (bit-shift-left -1 (- 32 (parse-long len))))]
    (mapv long->ip [(bit-and (ip->long ip) mask) mask (bit-or (ip->long ip) (bit-and 0xffffffff (bit-not mask)))])))

(println (map #(bits % 4) (map gray (range 6))))
(array-map
 :enc (encode [:read :admin]) :dec (sort (decode 131))
 :pop (map popcount [0 255 -1])
 :crc (crc8 (map int "123456789"))
 :fnv (fnv1a "hello")
 :hex (format "%016x" (fnv1a "a"))
 :net (network "192.168.37.200/20")
 :toggle (-> 5 (bit-set 1) (bit-clear 0) (bit-flip 4))
 :andnot (bit-and-not 15 5)
 :bin (map #(Integer/toBinaryString %) [5 -1])
 :hexs [(Long/toHexString -1) (Integer/toHexString 255) (Long/toString 255 36) (Integer/parseInt "-ff" 16) (Long/parseLong "zz" 36)]
 :tz (Long/numberOfTrailingZeros 8)
 :unchecked [(unchecked-add Long/MAX_VALUE 1) (unchecked-int 4294967295) (unchecked-byte 200)]
 :over (try (+ Long/MAX_VALUE 1) (catch ArithmeticException e (.getMessage e)))
 :auto (+' Long/MAX_VALUE 1))
