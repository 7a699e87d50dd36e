#!/usr/bin/env python3
"""Reads the books from the death of Henrik on, and divides the estate in whole numbers. Compares with answer.json."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import check, read  # noqa: E402

books = {b: {int(n): " ".join(e["text"].split()) for n, e in entries.items()} for b, entries in read(__file__, "data/books.json").items()}
MONTHS = "January February March April May June July August September October November December".split()
# Enough parts that every division comes out even.
PARTS = 2**6 * 3**4 * 5 * 7


def day(text):
    d, m, y = re.search(r"(\d+) ([A-Z][a-z]+) (\d{4})", text).groups()
    return int(y), MONTHS.index(m), int(d)


owner = books["deaths"][402]
end, estate = day(owner), int(re.search(r"leaves ([\d,]+) crowns", owner)[1].replace(",", ""))


def margin(birth):
    return books["births"][birth].partition("In the margin:")[2]


def alive(birth):
    if day(books["births"][birth]) > end:
        return False
    death = re.search(r"Death: (\d+)|deaths has it under (\d+)|\+ (\d+) of the deaths", margin(birth))
    return not death or birth != own and day(books["deaths"][int(next(filter(None, death.groups())))]) > end


def papers(birth):
    return [books["papers"][int(n)] for n in re.findall(r"[Pp]aper (\d+)", margin(birth))]


def children_of_marriage(number):
    """Births in the margin of a marriage, with those whom its two adopted, without those whom others adopted."""
    text = books["marriages"][number]
    births = [int(n) for n in re.findall(r"\((\d+)\)", text.split("irths")[1].split(".")[0])] if re.search(r"births?:|births: ", text) or "numbers of their births" in text else []
    births = [b for b in births if not any("is adopted by" in p for p in papers(b))]
    for n in re.findall(r"of whom paper (\d+) speaks", text):
        births.append(int(re.search(r"births (\d+)", books["papers"][int(n)])[1]))
    return births


def outside(text):
    """Children born out of marriage that a text speaks of, if their father acknowledged them."""
    return [int(n) for n in re.findall(r"births (\d+)", text) if any("declare" in p for p in papers(int(n)))]


own = int(re.search(r"his birth under (\d+)", owner)[1])
parents = books["marriages"][int(re.search(r"marriage stands under (\d+)", owner)[1])]
before, again = (int(re.search(p, parents)[1]) for p in (r"widow of [^,]+, marriages (\d+)", r"married again, see (\d+)"))
both = [int(n) for n in re.findall(r"\((\d+)\)", parents.split("irths")[1].split(".")[0]) if int(n) != own]
father_death = books["deaths"][int(re.search(r"many years, see (\d+)", parents)[1])]


def children(birth):
    found = []
    for n in re.findall(r"(?:see|marriages) (\d+)", margin(birth)):
        found += children_of_marriage(int(n))
    return found + outside(books["births"][birth])


def stands(birth):
    """How a person stands: himself, the list of those who represent him, or None as if he had never been."""
    words = [p for p in papers(birth) if "renounce" in p or "will not have anything" in p]
    if words and "for myself alone" not in words[0]:
        return None
    if alive(birth) and not words:
        return "himself"
    if day(books["births"][birth]) > end:
        return None
    below = [c for c in children(birth) if stands(c)]
    return below or None


parts = {}


def divide(births, amount):
    births = [b for b in births if stands(b)]
    assert amount % len(births) == 0
    for b in births:
        if stands(b) == "himself":
            parts[b] = parts.get(b, 0) + amount // len(births)
        else:
            divide(stands(b), amount // len(births))


divide(both + children_of_marriage(again) + outside(father_death), PARTS)
divide(both + children_of_marriage(before), PARTS)
heirs = []
for b, n in parts.items():
    name = re.search(r"[A-Z][a-z]+ [A-Z][a-z]+(?:sen|datter)\b", books["births"][b])[0]
    assert n * estate % (2 * PARTS) == 0
    heirs.append([name, n * estate // (2 * PARTS)])
assert sum(n for _, n in heirs) == estate
check(__file__, sorted(heirs))
