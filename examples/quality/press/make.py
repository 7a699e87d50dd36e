#!/usr/bin/env python3
"""Makes the drawings of a hand press, and counts what it is made of.

python3 make.py writes the data, python3 make.py --verify compares it.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import Numbers, fill, write  # noqa: E402

SERIAL = 214
n = Numbers(5000)
WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]

# part: (name, [(revision, from serial, m6, m8, grams, [(child, how many)], changes named, words)])
PARTS = {
    5000: ("hand press", [
        ("A", 1, 4, 8, 0, [(5100, 1), (5200, 2), (5300, 1)], [], "First drawn 1921."),
        ("B", 80, 4, 6, 0, [(5100, 1), (5200, 2), (5300, 1), (5400, 1)], [], "With a counter."),
        ("C", 150, 2, 6, 0, [(5100, 1), (5200, 2), (5300, 1), (5400, 1), (5500, 1)], [17, 31],
         "How the sheets are read: a sheet names the screws and the brass that the part itself takes, without those of its parts, and the parts it is made of, each as often as it says; each of these has a sheet of its own, "
         "in the revision that holds for the serial number. Changes that a sheet names hold if their own text says so for the serial number, and go before the sheet. The weight of brass is that of one piece."),
        ("D", 240, 2, 4, 0, [(5100, 1), (5210, 2), (5300, 1), (5500, 1)], [], "The last ones.")]),
    5100: ("frame", [("A", 1, 0, 12, 0, [(5110, 4), (5120, 1)], [], "Cast iron."), ("B", 120, 0, 14, 0, [(5110, 4), (5120, 1), (5130, 2)], [22], "Cast iron, in two pieces.")]),
    5110: ("foot", [("A", 1, 1, 2, 40, [], [], "Turned."), ("B", 200, 2, 1, 35, [(5111, 1)], [], "Turned, with a pad.")]),
    5111: ("pad", [("A", 1, 0, 0, 6, [], [], "Felt on a plate.")]),
    5120: ("bed", [("A", 1, 6, 6, 310, [(5121, 3)], [], "Planed."), ("B", 190, 6, 4, 290, [(5121, 5)], [38], "Planed and scraped.")]),
    5121: ("rail", [("A", 1, 3, 0, 55, [], [], "Ground."), ("B", 230, 2, 0, 50, [], [], "Ground on both sides.")]),
    5130: ("clasp", [("A", 1, 2, 2, 18, [(5131, 2)], [], "Forged.")]),
    5131: ("pin of the clasp", [("A", 1, 0, 0, 9, [], [], "Drawn wire."), ("B", 215, 0, 0, 11, [], [], "Drawn wire, thicker.")]),
    5200: ("side arm", [("A", 1, 2, 3, 120, [(5210, 1)], [], "Left and right are alike."), ("B", 60, 2, 3, 120, [(5210, 1), (5220, 2)], [31], "Left and right are alike.")]),
    5210: ("joint", [("A", 1, 0, 4, 75, [(5211, 2)], [], "Bored."), ("B", 210, 1, 4, 70, [(5211, 2)], [40], "Bored and reamed.")]),
    5211: ("bush", [("A", 1, 0, 0, 22, [], [], "Pressed in."), ("B", 100, 0, 0, 24, [], [], "Pressed in, with a groove.")]),
    5220: ("handle", [("A", 1, 1, 1, 15, [(5221, 1)], [], "Ash."), ("B", 180, 1, 2, 16, [(5221, 1)], [], "Beech.")]),
    5221: ("ferrule", [("A", 1, 0, 0, 12, [], [], "Rolled.")]),
    5300: ("spindle", [("A", 1, 0, 5, 480, [(5310, 1)], [], "Cut by hand."), ("B", 140, 0, 5, 460, [(5310, 1), (5320, 3)], [31], "Cut on the lathe.")]),
    5310: ("nut of the spindle", [("A", 1, 0, 2, 205, [], [], "Bronze until 1925, brass since."), ("B", 205, 2, 0, 198, [(5311, 4)], [], "Split.")]),
    5311: ("shim", [("A", 1, 0, 0, 2, [], [], "Rolled sheet.")]),
    5320: ("collar", [("A", 1, 2, 0, 31, [], [], "Turned."), ("B", 214, 3, 0, 30, [], [], "Turned, with a slot.")]),
    5321: ("strong collar", [("A", 1, 2, 1, 44, [(5111, 2)], [], "Turned from the full.")]),
    5400: ("counter", [("A", 1, 8, 0, 64, [(5410, 5)], [], "Bought until 1927, made here since."), ("B", 170, 7, 0, 61, [(5410, 6)], [17], "Six digits.")]),
    5410: ("number wheel", [("A", 1, 1, 0, 7, [], [], "Stamped."), ("B", 160, 1, 0, 8, [(5411, 1)], [], "Stamped, with an axle.")]),
    5411: ("axle", [("A", 1, 0, 0, 3, [], [], "Drawn wire.")]),
    5500: ("ink table", [("A", 1, 3, 3, 150, [(5510, 2)], [], "Glass on a frame."), ("B", 212, 3, 2, 140, [(5510, 2), (5130, 1)], [38], "Marble on a frame.")]),
    5510: ("roller", [("A", 1, 2, 0, 26, [(5211, 2)], [], "Gelatine on a core.")]),
}
CHANGES = {
    17: "Change 17. Holds for serial numbers from 100 to 199. The counter 5400 is left out of the press 5000, with all its parts.",
    22: "Change 22. Holds for all serial numbers from 180 on. In the frame 5100, ten screws M8 take the place of fourteen. Nothing else changes.",
    31: "Change 31. Holds for serial numbers from 200 on, but see change 44. In the spindle 5300 the strong collar 5321 takes the place of each collar 5320. In the side arm 5200 there is one handle 5220 and not two. "
        "In the press 5000 itself, eight screws M6 take the place of two.",
    38: "Change 38. Holds for serial numbers from 205 to 225. In the ink table 5500 the clasp 5130 is left out. In the bed 5120 there are four rails 5121 and not five; and the bed is lighter by 20 grams of brass.",
    40: "Change 40. Holds for serial numbers from 215 on. In the joint 5210 there are three bushes 5211 and not two.",
    44: "Change 44. Holds for serial numbers from 210 to 219. Change 31 is taken back for the side arm 5200 only; for the rest it stands.",
}


def revision(part, serial=SERIAL):
    return [r for r in PARTS[part][1] if r[1] <= serial][-1]


def sheet(part, rev):
    name, (letter, _, m6, m8, grams, children, changes, words) = PARTS[part][0], rev
    screws = n.pick([f"Screws: {m6} M6, {m8} M8.", f"It takes {WORDS[m6]} M6 and {WORDS[m8] if m8 < 13 else m8} M8 screws.", f"M6: {m6}. M8: {m8}."])
    brass = n.pick([f"Brass: {grams} g.", f"{grams} g of brass."]) if grams else "No brass."
    made = ""
    if children:
        made = "Parts: " + ", ".join(f"{WORDS[k]} of {c} ({PARTS[c][0]})" for c, k in children) + "."
    named = f"See {' and '.join(f'change {c}' for c in changes)}." if changes else ""
    return fill(f"Sheet {part}, revision {letter}: {name}. {words} {' '.join(n.shuffled([screws, brass]))} {made} {named}")


def build(part):
    """M6, M8 and grams of a part with all that it is made of, for the serial number, with the changes that hold for it."""
    _, _, m6, m8, grams, children, _, _ = revision(part)
    children = dict(children)
    if part == 5100:
        m8 = 10
    if part == 5300:
        children[5321] = children.pop(5320)
    if part == 5000:
        m6 = 8
    if part == 5500:
        del children[5130]
    if part == 5120:
        children[5121] = 4
        grams -= 20
    total = [m6, m8, grams]
    for child, k in children.items():
        total = [t + k * x for t, x in zip(total, build(child))]
    return total


result = build(5000)
if "-v" in sys.argv:
    print(result)
write(__file__, {
    "data/drawings.json": {
        "parts": {str(p): [{"revision": r[0], "from": r[1], "text": sheet(p, r)} for r in revs] for p, (_, revs) in PARTS.items()},
        "changes": {str(k): fill(t) for k, t in CHANGES.items()},
    },
    "answer.json": result,
})
