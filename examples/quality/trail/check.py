#!/usr/bin/env python3
"""Follows the money from statement to statement by the texts of the payments. Compares with answer.json."""

import datetime
import os
import re
import sys
from fractions import Fraction

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import check, read  # noqa: E402

statements = read(__file__, "data/statements.json")
rates = read(__file__, "data/rates.json")
holders = {k.split(" / ")[0]: (k.split(" / ")[1], *v) for k, v in read(__file__, "data/holders.json").items()}
holder_of = {a: h for h, (_, a, _) in holders.items()}
money_of = {a: m for _, a, m in holders.values()}
bank_of = {a: b for b, a, _ in holders.values()}
START = "N-4410"


def date(row):
    return datetime.date(2025, row[0], row[1])


def names(text):
    """Holders that a text names, with the day where it says one."""
    out = []
    for h in holders:
        short = "Pale Moon" if h.startswith("Pale") else h if h.startswith(("Harbour", "Widow")) else h.split()[0]
        if found := re.search(re.escape(short) + r"(?:'s)?(?: sent(?: back)?| money)?(?: (?:of|on) the (\d+)(?:th|st|nd|rd))?", text):
            out.append((h, int(found[1]) if found[1] else None))
    return out


# Arrivals: (account, row) to the share of followed money; taken in the order of days, so that each is whole when its turn comes.
shares, rest, done = {}, {}, set()


def arrival(sender, payment):
    """Where a payment arrived: the account and its row."""
    holder = payment[3].rsplit(", ", 1)[0]
    account = holders[holder][1]
    found = [r for r in statements[account] if r[2] > 0 and r[3].startswith(holder_of[sender]) and 0 <= (date(r) - date(payment)).days <= 3]
    same = [r for r in found if money_of[account] != money_of[sender] or r[2] == -payment[2]]
    assert len(same) == 1, (payment, found)
    return account, tuple(same[0])


def rest_in(account, row, amount):
    if account == START or money_of[account] == "crown":
        value = amount
    else:
        day = date(row)
        while day.weekday() > 4:
            day -= datetime.timedelta(1)
        value = amount * rates[money_of[account]][f"{day.month}-{day.day}"] / 100
    return value


def put(account, value):
    rest[account] = rest.get(account, 0) + value


first = next(r for r in statements[START] if r[:3] == [3, 3, -18400000])
shares[arrival(START, first)] = Fraction(1)
while todo := [k for k in shares if k not in done]:
    account, row = min(todo, key=lambda k: date(k[1]))
    done.add((account, row))
    left, sender = Fraction(row[2]), row[3].rsplit(", ", 1)[0]
    share = shares[(account, row)]
    if account == START:
        put(START, left * share)
        continue
    fee = False
    arrivals = [r for r in statements[account] if r[2] > 0 and r[3] == row[3]]
    for payment in statements[account]:
        told = [d for h, d in names(payment[4]) if h == sender]
        if payment[2] >= 0 or date(payment) < date(row) or not told:
            continue
        if told[0] is not None and told[0] != row[1] or told[0] is None and len([r for r in arrivals if date(r) <= date(payment)]) > 1:
            continue
        if made := re.search(r"([\d,.]+) from \w+ and ([\d,.]+) of our own", payment[4]):
            followed, own = (int(re.sub(r"[,.]", "", g)) for g in made.groups())
            taken, new = Fraction(followed), share * followed / (followed + own)
        elif "together" in payment[4]:
            # This arrival wholly; the other one is added when its turn comes.
            taken, new = left, share * left / -payment[2]
        else:
            taken, new = Fraction(-payment[2]), share
        left -= taken
        fee = fee or "per cent" in payment[4]
        where = arrival(account, payment)
        assert where not in done
        shares[where] = shares.get(where, 0) + new
    if left:
        put(START if fee and bank_of[account] == "Midland" else account, rest_in(account, row, left * share))
assert len(done) == 23 and all(v == int(v) for v in rest.values()), (len(done), rest)
check(__file__, sorted([a, int(v)] for a, v in rest.items()))
