;; What the shop pays back. Loaded before the first turn, as refund/due and refund/rules.

(def rules
  "Percent of the price by reason of the complaint. Any other reason gets nothing."
  {"broken" 100, "wrong item" 100, "late" 20})

(def days "Days after the purchase within which a complaint counts." 30)

(defn- share [order percent]
  (quot (* (:paid order) percent) 100))

(defn due
  "Refund of an order in cents, rounded down. 0 when the complaint comes too late or its reason has no rule."
  [order reason]
  (if (<= (:days-ago order) days)
    (share order (get rules reason 0))
    0))
