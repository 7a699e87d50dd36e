#!/usr/bin/env python3
"""Statements of accounts, holders, rates and the guide."""

import datetime
import json
import sys

args = json.load(sys.stdin)


def data(name):
    with open(f"data/{name}.json", encoding="ascii") as f:
        return json.load(f)


def end(text):
    sys.exit(text)


if sys.argv[1] == "guide":
    guide = data("guide")
    print(json.dumps(guide.get(args["topic"]) or end(f"the guide has no topic {args['topic']}; it has {', '.join(guide)}")))
elif sys.argv[1] == "statement":
    statements, account, reference = data("statements"), args["account"], args["reference"]
    if account not in statements:
        end(f"no account {account}; (tool/account HOLDER BANK) finds accounts")
    known = [r for r in statements[account] if r[5] == reference]
    if not known or not reference:
        end(f"no payment with the reference {reference} in {account}; a reference stands in the text of a payment, on both sides, and opens the accounts of both")
    first = datetime.date(2025, *known[0][:2])
    print(json.dumps([
        {"month": r[0], "day": r[1], "amount": r[2], "with": r[3], "text": r[4]} for r in statements[account]
        if 0 <= (datetime.date(2025, *r[:2]) - first).days <= 20]))
elif sys.argv[1] == "account":
    found = data("holders").get(f"{args['holder']} / {args['bank']}")
    if found is None:
        end(f"{args['holder']} has no account at {args['bank']}; banks are Nordbank, Sparkasse, Midland and Vestbank")
    print(json.dumps({"account": found[0], "money": found[1]}))
else:
    rates = data("rates")
    if args["money"] not in rates:
        end(f"no rates of {args['money']}; there are euro and pound")
    found = rates[args["money"]].get(f"{args['month']}-{args['day']}")
    print(json.dumps(found) if found else end(f"no rate on day {args['day']} of month {args['month']}: see the topic rates of the guide"))
