#!/usr/bin/env python3
"""Makes the members of an association, their households and lists, and what each district is owed.

python3 make.py writes the data, python3 make.py --verify compares it.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import Numbers, fill, write  # noqa: E402

DISTRICTS = ["north", "south", "east", "west", "coast"]
GIVEN = "Ada Bo Carl Dina Emil Frida Geir Hilde Ivar Jorunn Kai Liv Marta Nils Odd Pia Rolf Siri Tor Una".split()
FAMILY = "Aker Bakke Dal Eng Fjeld Gran Haug Lie Moe Nes Rud Sand Vik".split()
HELP = {
    "topics": """Topics: paging, ids, members, moved, fees, households, offices, years.""",
    "paging": """list gives nine members of a district at a time, with their district's number, their own number and their name. If there are more, the answer has a cursor; call list again with the
        district and this cursor. On the last page the cursor is nil. A cursor of one district is refused for another.""",
    "ids": """The id of a member is the number of the district, a hyphen, the member's own number in four digits, a hyphen, and a letter. The letter is the one at the place r of ABCDEFGHKLM,
        where A is at the place 0 and r is what remains when 7 times the number of the district plus the member's own number is divided by 11. Example: the member 12 of district 4 is 4-0012-H, since
        28 plus 12 is 40, and 40 divided by 11 leaves 7.""",
    "members": """A member has a name, the year of birth, the month in which he or she joined (as 2025-08), a household or nil, and offices. If a member has moved, there is only the field
        moved; see the topic moved.""",
    "moved": """Who moves to another district gets a new number there. The old number stays in the list of the old district for two years, and member answers with the new id in the
        field moved. Such members owe their fee in the new district only, and they stand in its list too: nobody pays twice. Now and then somebody has moved twice.""",
    "fees": """The fee for a year goes by the age that a member reaches in that year: up to 17 years 150 crowns, from 18 to 66 years 400, from 67 years on 250. Who joined in July 2025 or later owes
        half of it for 2026. Then come households (see households), and last of all offices (see offices).""",
    "households": """A household has a kind. In a family the member with the highest fee so far pays it in full, and each other member of the household who pays a fee owes 60 per cent of his or her
        own; if several have the highest, it is the one whose id comes first (by the number of the district, then by the own number, new ones of those who have moved). In a flat, which is the other kind, everybody pays in full.
        Members of a household may belong to several districts.""",
    "offices": """Members of honour owe nothing at all, and count for nothing in their household. Who is on a board owes 100 crowns less, after all else, but never less than nothing. Who teaches owes half, after all else
        but before what a board takes off. Offices are honour, board and teacher; one may have several. Other offices change nothing.""",
    "years": """Fees are in whole crowns. All amounts come out even in 2026, so that nothing is rounded. The list is that of 1 January 2026; who left before is no longer in it.""",
}

n = Numbers(2028)
members, lists = {}, {d: [] for d in DISTRICTS}
taken = {d: 0 for d in DISTRICTS}


def letter(key):
    d, k = key.split("-")
    return f"{key}-{'ABCDEFGHKLM'[(int(d) * 7 + int(k)) % 11]}"


def enter(district, name):
    taken[district] += n.between(1, 9)
    key = f"{DISTRICTS.index(district) + 1}-{taken[district]:04}"
    lists[district].append({"district": DISTRICTS.index(district) + 1, "number": taken[district], "name": name})
    return key


households, people = {}, []
for h in range(1, 27):
    kind, family = n.pick(["family", "family", "family", "flat"]), n.pick(FAMILY)
    households[f"H{100 + 7 * h}"] = {"kind": kind}
    for _ in range(n.between(2, 4)):
        people.append((f"H{100 + 7 * h}", family if kind == "family" else n.pick(FAMILY)))
people += [(None, n.pick(FAMILY)) for _ in range(30)]
for household, family in n.shuffled(people):
    name = f"{n.pick(GIVEN)} {family}"
    stations = [n.pick(DISTRICTS)]
    while n.below(8) == 0 and len(stations) < 3:
        stations.append(n.pick([d for d in DISTRICTS if d not in stations]))
    keys = [enter(d, name) for d in stations]
    for old, new in zip(keys, keys[1:]):
        members[old] = {"moved": letter(new)}
    born = n.pick([n.between(1940, 1965), n.between(1960, 2007), n.between(1960, 2007), n.between(2006, 2016)])
    joined = n.pick([f"{n.between(1990, 2024)}-{n.between(1, 12):02}", f"{n.between(1990, 2024)}-{n.between(1, 12):02}", f"2025-{n.between(1, 12):02}"])
    offices = n.pick([[]] * 9 + [["board"], ["teacher"], ["honour"], ["board", "teacher"], ["cook"]])
    members[keys[-1]] = {"name": name, "born": born, "joined": joined if int(joined[:4]) > born + 5 else "2025-03", "household": household, "offices": offices}

fees = {}
for key, m in members.items():
    if "moved" not in m:
        age = 2026 - m["born"]
        fee = 150 if age < 18 else 400 if age < 67 else 250
        fees[key] = 0 if "honour" in m["offices"] else fee // 2 if m["joined"] >= "2025-07" else fee
owed = dict(fees)
for h, household in households.items():
    paying = sorted((k for k, m in members.items() if m.get("household") == h and fees[k]), key=lambda k: (-fees[k], k))
    if household["kind"] == "family":
        for k in paying[1:]:
            owed[k] = fees[k] * 6 // 10
            assert owed[k] * 10 == fees[k] * 6
result = dict.fromkeys(DISTRICTS, 0)
for k, fee in owed.items():
    if "teacher" in members[k]["offices"]:
        fee = fee / 2
    if "board" in members[k]["offices"]:
        fee = max(0, fee - 100)
    assert fee == int(fee), (k, fee)
    result[DISTRICTS[int(k[0]) - 1]] += int(fee)
if "-v" in sys.argv:
    print(len(members), sum("moved" in m for m in members.values()), sum("moved" in members.get(m.get("moved", "")[:6], {}) for m in members.values()), result)
write(__file__, {
    "data/help.json": {k: fill(t) for k, t in HELP.items()},
    "data/lists.json": {d: n.shuffled(rows) for d, rows in lists.items()},
    "data/members.json": dict(sorted(members.items())), "data/households.json": households, "answer.json": result,
})
