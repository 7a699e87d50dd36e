;; Checks written as tables: a macro over clojure.template, with counts, and generated functions.
(ns table.tests
  (:require [clojure.template :as temp]
            [clojure.string :as str]))

(def results (atom {:pass 0 :fail []}))

(defmacro check [form]
  `(let [ok# ~form]
     (if ok#
       (swap! results update :pass inc)
       (swap! results update :fail conj '~form))
     ok#))

(defmacro check-all [argv expr & args]
  `(temp/do-template ~argv (check ~expr) ~@args))

(check-all [a b c] (= c (+ a b))
  1 2 3
  2 2 4
  2 2 5)

(check-all [s n] (= n (count (str/split s #",")))
  "a,b" 2
  "a" 1)

(temp/do-template [name op]
  (defn name [x y] (op x y))
  plus +
  times *)

(defmacro defconstants [& pairs]
  `(do ~@(for [[n v] (partition 2 pairs)] `(def ~n ~v))))

(defconstants width 3, height 4, area (* width height))

(defmacro unless [test & {:keys [then else]}]
  `(if (not ~test) ~then ~else))

(doseq [f (:fail @results)] (println "failed:" f))

{:results  @results
 :plus     (plus 2 3)
 :times    (times 4 5)
 :area     area
 :unless   [(unless false :then 1 :else 2) (unless true :then 1 :else 2)]
 :applied  (temp/apply-template '[x y] '(vector x y x) [1 :two])
 :expanded (macroexpand-1 '(unless a :then b))}
