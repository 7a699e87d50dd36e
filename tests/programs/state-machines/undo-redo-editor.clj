; A text editor with commands, undo and redo, where the history is data and commands are compared.
(defprotocol Command
  (execute [cmd doc])
  (undo [cmd doc]))

(defrecord Insert [pos text]
  Command
  (execute [_ doc] (str (subs doc 0 pos) text (subs doc pos)))
  (undo [_ doc] (str (subs doc 0 pos) (subs doc (+ pos (count text))))))

(defrecord Delete [pos text]
  Command
  (execute [_ doc] (undo (->Insert pos text) doc))
  (undo [_ doc] (execute (->Insert pos text) doc)))

(defrecord Compound [commands]
  Command
  (execute [_ doc] (reduce #(execute %2 %1) doc commands))
  (undo [_ doc] (reduce #(undo %2 %1) doc (rseq commands))))

(extend-type nil
  Command
  (execute [_ doc] doc)
  (undo [_ doc] doc))

(def editor (atom {:doc "" :done () :undone ()}))

(defn perform! [cmd]
  (swap! editor (fn [e] (-> e
                            (update :doc (partial execute cmd))
                            (update :done conj cmd)
                            (assoc :undone ())))))

(defn undo! []
  (swap! editor (fn [{[cmd & more] :done :as e}]
                  (if cmd
                    (-> e (update :doc #(undo cmd %)) (assoc :done more) (update :undone conj cmd))
                    e))))

(defn redo! []
  (swap! editor (fn [{[cmd & more] :undone :as e}]
                  (if-not cmd
                    e
                    (-> e (update :doc #(execute cmd %)) (assoc :undone more) (update :done conj cmd))))))

(defn replace-at [doc from to text]
  (->Compound [(->Delete from (subs doc from to)) (->Insert from text)]))

(defmacro tracing [& forms]
  `(do ~@(for [f forms]
           `(do ~f (println (pr-str '~f) "=>" (pr-str (:doc @editor)))))))

(tracing
 (perform! (->Insert 0 "Hello world"))
 (perform! (->Insert 5 ","))
 (perform! (replace-at (:doc @editor) 7 12 "there"))
 (undo!)
 (undo!)
 (redo!)
 (perform! (->Insert 12 "!"))
 (redo!))

[(:doc @editor)
 (map (comp symbol #(.getSimpleName %) class) (:done @editor))
 (count (:undone @editor))
 (execute nil "same")
 (= (->Insert 1 "a") (map->Insert {:text "a" :pos 1}))
 (first (:done @editor))]
