; What Debian's nREPL client for Clojure gets from `ptc repl --nrepl` on the port given: a line an answer.
(require '[nrepl.core :as nrepl])

(let [port (parse-long (first *command-line-args*))]
  (with-open [conn (nrepl/connect :port port)]
    (let [client (nrepl/client conn 30000)
          id (nrepl/new-session client)
          session (nrepl/client-session client :session id)
          eval (fn [code] (nrepl/message session {:op "eval" :code code}))]
      (prn :describe (sort (filter #{:clone :close :eval :interrupt} (keys (:ops (first (nrepl/message client {:op "describe"})))))))
      (prn :values (nrepl/response-values (eval "(def orders [{:id 1 :cents 250} {:id 2 :cents 1000}])\n(reduce + (map :cents orders))")))
      (prn :again (nrepl/response-values (eval "(map :id orders)")))
      (let [answer (nrepl/combine-responses (eval "(println \"told\") (/ 1 0)"))]
        (prn :out (:out answer) :err (first (clojure.string/split-lines (:err answer))) :status (sort (:status answer))))
      (prn :file (nrepl/response-values (nrepl/message session {:op "load-file" :file "(defn cents [o] (:cents o))"})))
      (prn :complete (map :candidate (:completions (first (nrepl/message session {:op "completions" :prefix "cen"})))))
      (prn :lookup (:arglists-str (:info (first (nrepl/message session {:op "lookup" :sym "cents"})))))
      (let [running (eval "(println \"begun\") (loop [] (recur))")]
        (prn :begun (:out (first running)))
        (nrepl/message session {:op "interrupt"})
        (prn :interrupted (some #(some #{"interrupted"} (:status %)) running)))
      (prn :kept (nrepl/response-values (eval "(count orders)")))
      (prn :closed (sort (:status (first (nrepl/message session {:op "close"})))))))
  (shutdown-agents))
