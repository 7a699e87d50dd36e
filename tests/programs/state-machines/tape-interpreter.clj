;; An interpreter of the eight-instruction language, with its tape in an array and jumps worked out beforehand.
(defn jump-table [program]
  (loop [i 0, stack [], jumps (transient {})]
    (if (= i (count program))
      (persistent! jumps)
      (case (nth program i)
        \[ (recur (inc i) (conj stack i) jumps)
        \] (let [open (peek stack)]
             (recur (inc i) (pop stack) (assoc! jumps open i i open)))
        (recur (inc i) stack jumps)))))

(defn run [program input]
  (let [jumps (jump-table program)
        tape (int-array 64)
        out (StringBuilder.)]
    (loop [pc 0, ptr 0, input (seq input), steps 0]
      (if (or (>= pc (count program)) (> steps 20000))
        {:output (str out) :steps steps :used (count (remove zero? tape))}
        (let [cell (aget tape ptr)]
          (case (nth program pc)
            \> (recur (inc pc) (inc ptr) input (inc steps))
            \< (recur (inc pc) (dec ptr) input (inc steps))
            \+ (do (aset tape ptr (mod (inc cell) 256)) (recur (inc pc) ptr input (inc steps)))
            \- (do (aset tape ptr (mod (dec cell) 256)) (recur (inc pc) ptr input (inc steps)))
            \. (do (.append out (char cell)) (recur (inc pc) ptr input (inc steps)))
            \, (do (aset tape ptr (int (or (first input) 0))) (recur (inc pc) ptr (next input) (inc steps)))
            \[ (recur (if (zero? cell) (inc (jumps pc)) (inc pc)) ptr input (inc steps))
            \] (recur (if (zero? cell) (inc pc) (inc (jumps pc))) ptr input (inc steps))
            (recur (inc pc) ptr input steps)))))))

(def hello "++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.")
(def echo ",[.,]")
(def add ",>,[<+>-]<.")

(println (:output (run hello "")))

{:echo  (:output (run echo "abc"))
 :sum   (int (first (:output (run add (map char [20 22])))))
 :jumps (into (sorted-map) (jump-table "+[>[-]<-]"))
 :stats (select-keys (run "++[>+++[>++<-]<-]>>" "") [:steps :used])}
