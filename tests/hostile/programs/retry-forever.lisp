;; ends in limit/fuel
(loop [] (try (throw (ex-info "again" {})) (catch Exception e nil)) (recur))
