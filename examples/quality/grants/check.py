#!/usr/bin/env python3
"""Reads the applications and keeps a list of bookings, with the rules as fractions. Compares with answer.json."""

import os
import re
import sys
from fractions import Fraction

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import check, read  # noqa: E402

cases = [" ".join(c["text"].split()) for c in read(__file__, "data/cases.json")]
needs = [c["needs"] for c in read(__file__, "data/cases.json")]
handbook = {k: " ".join(t.split()) for k, t in read(__file__, "data/handbook.json").items()}
booked = [("music", 20000), ("sport", 18000), ("school", 13000)]
assert all(f"{area} {n:,} crowns" in handbook["budgets"] for area, n in booked)
NOT = {"food": ("buffet", "meals", "biscuits"), "fee": ("fee",)}


def sums(text, word):
    found = re.search(rf"{word}: ([^.]+)\.", text)
    return [(item, int(n.replace(",", ""))) for item, n in re.findall(r"([A-Za-z -]+?) ([\d,]+\d)(?:, |$)", found[1])] if found else []


def rules_give(number, teachers, most, less, text=None):
    text = text or cases[number - 1]
    costs, gifts = sums(text, "Costs"), sums(text, "Others give")
    if "same concert as in case 1" in text:
        costs, gifts = sums(cases[0], "Costs"), sums(cases[0], "Others give")
        costs.append(("the hall", -int(re.search(r"hall costs (\d+) crowns less", text)[1])))
    rest = Fraction(0)
    for item, n in costs:
        if any(w in item for w in NOT["food"]) or "fee" in item and not (teachers and "teacher" in item):
            continue
        rest += n
    rest -= sum(n for _, n in gifts)
    n, young = re.search(r"(\d+) take part, (\w+) of them under 16", text).groups()
    part = Fraction(2, 3) if young != "none" and int(young) * 2 > int(n) else Fraction(1, 2)
    grant = min(rest * part, Fraction(most))
    return int(grant * Fraction(3, 4) if less else grant)


def left(*areas):
    return sum(n for a, n in booked if a in areas)


granted, applicants = {}, {}
for number, text in enumerate(cases[:16], 1):
    ruling = int(found[1]) if (found := re.search(r"Ruling (\d)", text)) else 0
    ruled = max([ruling] + [int(r) for t in cases[:number] for r in re.findall(r"Ruling (\d)", t)])
    most = 5000 if ruled >= 1 else 6000
    who, area = re.search(r"(The [A-Za-z ]+?) asks for a grant from the budget of (\w+)", text).groups()
    applicants[number] = who
    if ruling == 2:
        new = rules_give(3, True, 6000, False)
        booked.append(("school", granted[3] - new))
        granted[3] = new
    if ruling == 3:
        booked.append(("sport", granted.pop(2)))
    if ruling == 4:
        new = rules_give(6, True, 5000, False)
        booked.append(("music", granted[6] - new))
        granted[6] = new
    again = any(applicants[k] == who for k in granted)
    amount = rules_give(number, ruled >= 2, most, again and not (ruled >= 4 and "choir" in who))
    amount = min(amount, left("sport", "school") if ruled >= 5 and area != "music" else left(area))
    assert amount == needs[number], (number, amount, needs[number])
    granted[number] = amount
    booked.append((area, -amount))
was, now = re.search(r"for ([\d,]+) crowns and not for ([\d,]+)", cases[16]).groups()
new = rules_give(9, True, 5000, False, cases[8].replace(f"tickets {now}", f"tickets {was}"))
booked.append(("music", granted[9] - new))
granted[9] = new
check(__file__, {"total": sum(granted.values()), "music": left("music"), "vik": sum(n for k, n in granted.items() if applicants[k] == "The choir of Vik")})
