#!/usr/bin/env python3
"""Follows the manual by its words alone, and compares the work order with answer.json."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import check, read  # noqa: E402

PAGES = {c: " ".join(t.split()) for c, t in read(__file__, "data/pages.json").items()}
READS = read(__file__, "data/measures.json")
PLATES = read(__file__, "data/plates.json")
WRONG = {p for p, t in PLATES.items() if t.startswith("Pressure transmitter") and "Series K" in t}
NUMBER = r"(-?\d+(?:\.\d+)?)"

# Sentences that decide, as a reader understands them: pattern, and the truth of its condition.
DECISIONS = [
    (rf"Measure (PT-\d+)[^.]*\. If it is below {NUMBER} bar,", lambda m, v, o: v(m[1]) < float(m[2])),
    (rf"Measure (PT-\d+)[^.]*\. If it is {NUMBER} bar or more,", lambda m, v, o: v(m[1]) >= float(m[2])),
    (rf"(TT-\d+), the (?:pipe to|temperature of)[^.]*\. If it is above {NUMBER} degrees,", lambda m, v, o: v(m[1]) > float(m[2])),
    (rf"Measure (LT-\d+)[^.]*in per cent\. If it is below {NUMBER},", lambda m, v, o: v(m[1]) < float(m[2])),
    (r"Measure (LT-\d+)\. If it is below half of the oil charge,", lambda m, v, o: 2 * v(m[1]) < float(re.search(r"Oil charge (\d+)", PLATES["C-2"])[1])),
    (r"level (LT-\d+);[^.]*\. If it is below the low mark", lambda m, v, o: v(m[1]) < float(re.search(r"Low mark (\d+)", PLATES[m[1]])[1])),
    (r"If the refrigerant is (R-717),", lambda m, v, o: f"Refrigerant {m[1]}" in PLATES["C-2"]),
    (r"If its size is DN (\d+) or more,", lambda m, v, o: int(re.search(r"DN (\d+)", PLATES["V-8"])[1]) >= int(m[1])),
    (r"was built before (\d+),", lambda m, v, o: int(re.search(r"Built (\d+)", PLATES["C-2"])[1]) < int(m[1])),
    (rf"If (PT-\d+) is lower than (PT-\d+) by more than {NUMBER} bar,", lambda m, v, o: v(m[2]) - v(m[1]) > float(m[3])),
    (rf"If (PT-\d+) is higher than (PT-\d+) by more than {NUMBER} bar,", lambda m, v, o: v(m[1]) - v(m[2]) > float(m[3])),
    (rf"if (PT-\d+), as it rightly is, is higher than (PT-\d+), as it rightly is, by {NUMBER} bar or more", lambda m, v, o: v(m[1]) - v(m[2]) >= float(m[3])),
    (r"If a gasket (\S+) stands in the work order", lambda m, v, o: m[1] in [e[2] for e in o]),
]


def follow(code, trust, order, visited):
    """Goes from a page until the bulletin or the end; answers with the code where it stopped."""
    def value(point):
        # Hundredths, so that no threshold is missed by a rounding of doubles.
        if not trust and point in WRONG:
            return round(READS[point] - 0.35, 2)
        return READS[point]

    while True:
        text = PAGES[code]
        if "BULLETIN" in text or "closes the work order" in text:
            return code
        used = set()
        entry = re.search(r"Write into the work order: (\d+) x ([a-z ]+) (\d\d-\d\d\d), (\d+) minutes", text)
        if entry:
            order.append((len(visited), int(entry[1]), entry[3], int(entry[4])))
        ways = re.findall(r"with page (R-\d\d\d)|stands on page (R-\d\d\d)", text)
        ways = [a or b for a, b in ways]
        if len(ways) == 1:
            visited.append((code, used))
            code = ways[0]
            continue
        found = [(m, f) for p, f in DECISIONS for m in [re.search(p, text)] if m]
        assert len(found) == 1 and len(ways) == 2, (code, found, ways)
        m, truth = found[0]
        used = {g for g in m.groups() if g in WRONG}
        yes = truth(m, value, [(e[0], e[1], e[2]) for e in order])
        visited.append((code, used))
        code = ways[0] if yes else ways[1]


order, visited = [], []
stop = follow("R-100", True, order, visited)
assert "BULLETIN" in PAGES[stop]
first = next(i for i, (_, used) in enumerate(visited) if used)
order = [e for e in order if e[0] < first]
assert follow(visited[first][0], False, order, visited) == stop
second = re.search(r"for the second time goes on with page (R-\d\d\d)", PAGES[stop])[1]
end = follow(second, False, order, visited)
assert "counts as 12 minutes" in PAGES[end]
minutes = 0
for _, quantity, number, time in order:
    minutes += 12 if time < 12 else time
    if number[:2] == "71":
        minutes += 3 * quantity
if [e for e in order if e[2][:2] == "40"]:
    minutes += 90
check(__file__, {"minutes": minutes, "parts": [[e[1], e[2]] for e in order]})
