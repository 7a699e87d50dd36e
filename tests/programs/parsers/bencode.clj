; Bencode: decode and encode integers, strings, lists and dictionaries, with round trips and errors.
(ns bencode
  (:require [clojure.string :as str]))

(defmulti decode-at (fn [s i] (let [c (get s i)] (if (and c (Character/isDigit c)) :string c))))

(defmethod decode-at \i [s i]
  (let [end (str/index-of s "e" i)]
    [(Long/parseLong (subs s (inc i) end)) (inc end)]))

(defmethod decode-at :string [s i]
  (let [colon (str/index-of s ":" i)
        n     (Long/parseLong (subs s i colon))
        from  (inc colon)]
    [(subs s from (+ from n)) (+ from n)]))

(defn- decode-until-e [s i]
  (loop [i i, acc []]
    (if (= \e (get s i))
      [acc (inc i)]
      (let [[v i] (decode-at s i)]
        (recur i (conj acc v))))))

(defmethod decode-at \l [s i] (decode-until-e s (inc i)))

(defmethod decode-at \d [s i]
  (let [[kvs i] (decode-until-e s (inc i))]
    [(apply sorted-map kvs) i]))

(defmethod decode-at :default [s i]
  (throw (ex-info "cannot decode" {:at i :char (get s i)})))

(defn decode [s]
  (let [[v end] (decode-at s 0)]
    (when (< end (count s))
      (throw (ex-info "trailing data" {:at end})))
    v))

(defprotocol Bencode
  (encode [x]))

(extend-protocol Bencode
  java.lang.Long
  (encode [n] (str "i" n "e"))
  String
  (encode [s] (str (count s) ":" s))
  clojure.lang.Keyword
  (encode [k] (encode (name k)))
  clojure.lang.Sequential
  (encode [xs] (str "l" (apply str (map encode xs)) "e"))
  clojure.lang.IPersistentMap
  (encode [m] (str "d" (str/join (for [[k v] (sort-by (comp name key) m)] (str (encode k) (encode v)))) "e"))
  nil
  (encode [_] "0:"))

(def torrent {:announce "http://t" :info {:name "file" :length 42 :pieces ["a" "bb"]} :empty [] :none nil})

(println (encode torrent))

{:decoded (decode (encode torrent))
 :values  (map decode ["i-7e" "4:spam" "le" "d1:ai1ee" "l1:xli1eee"])
 :same    (= (encode torrent) (encode (decode (encode torrent))))
 :list    (encode (list 1 [2 "x"]))
 :errors  (for [s ["x" "i1ei2e" ""]]
            (try (decode s) (catch clojure.lang.ExceptionInfo e (assoc (ex-data e) :message (ex-message e)))))}
