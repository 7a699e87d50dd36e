; An assembler in two passes for a made-up machine: labels, constants, addressing modes and a listing.
(ns asm.two-pass
  (:require [clojure.string :as str]))

(def opcodes {"NOP" 0x00 "LDA" 0x10 "STA" 0x20 "ADD" 0x30 "SUB" 0x40 "JMP" 0x50 "JNZ" 0x60 "HLT" 0xFF})

(def source "
; count down from five
start:  LDA #5        ; immediate
loop:   SUB #ONE
        STA counter
        JNZ loop
        HLT
ONE     = 1
counter: .byte 0, $2A, %101")

(defn parse-line [line]
  (let [line (-> line (str/replace #";.*" "") str/trimr)
        [_ label rest-of-line] (re-matches #"(?:(\w+):)?\s*(.*)" line)]
    (cond-> {}
      label (assoc :label label)
      (re-find #"=" rest-of-line) (as-> m (let [[_ k v] (re-matches #"(\w+)\s*=\s*(\S+)" rest-of-line)]
                                            (assoc m :constant [k v])))
      (str/starts-with? rest-of-line ".byte") (assoc :bytes (str/split (subs rest-of-line 6) #",\s*"))
      (re-matches #"[A-Z]{3}(\s+[^\s=]+)?" rest-of-line) (merge (let [[op arg] (str/split rest-of-line #"\s+" 2)]
                                                             {:op op :arg arg})))))

(defn size [{:keys [op arg bytes]}]
  (cond bytes (count bytes)
        op    (if arg 2 1)
        :else 0))

(defn number [s]
  (condp re-matches s
    #"\$([0-9A-F]+)" :>> #(Integer/parseInt (second %) 16)
    #"%([01]+)"      :>> #(Integer/parseInt (second %) 2)
    #"\d+"           :>> #(Integer/parseInt %)
    nil))

(defn first-pass [lines]
  (reduce (fn [{:keys [address] :as acc} {:keys [label constant] :as line}]
            (-> acc
                (cond-> label (assoc-in [:symbols label] address)
                        constant (assoc-in [:symbols (first constant)] (number (second constant))))
                (update :lines conj (assoc line :address address))
                (update :address + (size line))))
          {:address 0 :symbols {} :lines []}
          lines))

(defn resolve-arg [symbols arg]
  (let [immediate? (str/starts-with? arg "#")
        text (cond-> arg immediate? (subs 1))]
    [(or (number text) (symbols text) (throw (ex-info (str "undefined symbol " text) {:symbol text})))
     immediate?]))

(defn encode [symbols {:keys [op arg bytes]}]
  (cond
    bytes (mapv number bytes)
    (and op (not (opcodes op))) (throw (ex-info (str "unknown instruction " op) {:op op}))
    (and op arg) (let [[v immediate?] (resolve-arg symbols arg)]
                   [(bit-or (opcodes op) (if immediate? 1 0)) v])
    op [(opcodes op)]))

(defn assemble [text]
  (let [{:keys [symbols lines]} (first-pass (map parse-line (str/split-lines text)))]
    {:symbols symbols
     :listing (for [line lines
                    :let [code (encode symbols line)]
                    :when (seq code)]
                [(:address line) code])}))

(let [{:keys [symbols listing]} (assemble source)]
  (doseq [[address code] listing]
    (println (format "%04X  %s" address (str/join " " (map #(format "%02X" %) code)))))
  {:symbols (into (sorted-map) symbols)
   :bytes   (vec (mapcat second listing))
   :checksum (reduce #(bit-and 0xFF (+ %1 %2)) 0 (mapcat second listing))
   :errors  (map #(try (doall (:listing (assemble %))) (catch Exception e (ex-message e)))
                 ["LDA nowhere" "XYZ 1" "HLT"])})
