;; A monthly report with pprint/cl-format, nested iteration, conditionals and pluralization.
(ns report.monthly
  (:require [clojure.pprint :as pp :refer [cl-format]]
            [clojure.string :as s])
  (:import (java.time YearMonth)))
(def sales {"2024-01" {:n 3 :sum 1234.5M :items ["pen" "ink"]} "2024-02" {:n 1 :sum 7M :items ["pad"]} "2024-03" {:n 0 :sum 0M :items []}})
(defn bar [n mx w] (let [k (if (pos? mx) (int (* w (/ n mx))) 0)] (str (s/join (repeat k "█")) (s/join (repeat (- w k) "·")))))
(defn line [ym {:keys [n sum items]}]
  (let [m (YearMonth/parse ym)]
    (cl-format nil "~10a ~3d sale~:p ~12@a ~a ~:[nothing~;~:*~{~a~^, ~}~]"
               (s/capitalize (str (.getMonth m))) n (format "%,.2f" sum) (bar n 3 6) (seq items))))
(doseq [[k v] (sort sales)] (println (line k v)))
(cl-format true "~3%")
(cl-format true "~{~a: ~a~%~}" (mapcat identity (sort {:a 1 :b 2})))
(cl-format true "~:{<~a,~a>~}~%" [[1 2] [3 4]])
(cl-format true "~@{~a~^-~}~%" 1 2 3)
(cl-format true "~#[none~;one: ~a~;two: ~a and ~a~:;many~]~%" :x :y)
(cl-format true "~5d|~-5a|~5:@a|~&~a ~~ ~%" 42 "l" "r" "t")
(cl-format true "~3,'0d ~,3f ~8,2f ~6,1,,,'*f~%" 7 2.0 3.14159 9.99)
(cl-format true "~:@d ~@d ~,,'.,3:d ~2r ~16r~%" 1234567 5 7654321 10 255)
(cl-format true "~*~a ~2*~a ~:*~a~%" 1 2 3 4 5)
(cl-format true "~?~%" "~a+~a" [1 2])
{:plural (map #(cl-format nil "~d compan~:@p" %) [0 1 2])
 :list (map #(cl-format nil "~{~#[nothing~;~a~;~a and ~a~:;~@{~a~#[~;, and ~:;, ~]~}~]~}" %) [[] ["a"] ["a" "b"] ["a" "b" "c"]])
 :str (cl-format nil "~s ~s ~a" "x" [:a "b"] nil)
 :bar (bar 2 3 6) :total (cl-format nil "~,2f" (double (transduce (map :sum) + (vals sales))))}
