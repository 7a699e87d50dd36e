#!/usr/bin/env python3
"""Counts the election by piles of ballots that are moved from candidate to candidate. Compares with answer.json."""

import csv
import io
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import check, read  # noqa: E402

notices = " ".join(read(__file__, "data/notices.txt").split())
statute = " ".join(read(__file__, "data/statute.txt").split())
rows = list(csv.DictReader(io.StringIO(read(__file__, "data/ballots.csv"))))
signatures = {r["place"]: int(r["signatures"]) for r in csv.DictReader(io.StringIO(read(__file__, "data/places.csv")))}
assert "old church is raised by three" in notices and "those with the highest numbers" in statute and "Aas has withdrawn" in notices
signatures["Old church"] += 3
listed = [c.lower() for c in re.split(r", | and ", re.search(r"On the list are: ([^.]+)\.", notices)[1])]
standing = set(listed) - {"aas"}

left = []
for place, most in signatures.items():
    left += sorted((r for r in rows if r["place"] == place), key=lambda r: int(r["ballot"]))[:most]


def in_time(r):
    day, hour, minute = map(int, re.fullmatch(r"May (\d+) (\d+):(\d+)", r["received"]).groups())
    return r["by"] == "hand" or (day * 24 + hour) * 60 + minute <= (14 * 24 + 18) * 60


void, piles = 0, {c: [] for c in standing}
for r in left:
    names = re.findall(r"[a-z ]+", r["ranking"].lower())
    names = [n.strip() for n in names if n.strip()]
    if not names or any(names.count(n) > 1 for n in names) or not in_time(r) or not standing & set(names):
        void += 1
        continue
    names = [n for n in names if n in standing]
    piles[names[0]].append(names[1:])

first, eliminated = {c: len(p) for c, p in piles.items()}, []
while max(map(len, piles.values())) * 2 <= sum(map(len, piles.values())):
    order = sorted(piles, reverse=True)
    order.sort(key=lambda c: first[c])
    order.sort(key=lambda c: len(piles[c]))
    eliminated.append(order[0])
    for rest in piles.pop(order[0]):
        while rest and rest[0] not in piles:
            rest = rest[1:]
        if rest:
            piles[rest[0]].append(rest[1:])
winner = max(piles, key=lambda c: len(piles[c]))
check(__file__, {"winner": winner.title(), "votes": len(piles[winner]), "eliminated": [c.title() for c in eliminated], "void": void})
