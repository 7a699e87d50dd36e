#!/usr/bin/env python3
"""Reads the deeds and letters, paints every square metre of every lot, and counts. Compares with answer.json."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import check, read  # noqa: E402

deeds = {k: " ".join(t.split()) for k, t in read(__file__, "data/deeds.json").items()}
letters = {k: " ".join(t.split()) for k, t in read(__file__, "data/letters.json").items()}
ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth"]
old, new = map(int, re.search(r"a rod is (\d) metres, in those of this year and of later ones it is (\d)", letters["1874"]).groups())
east, north = map(int, re.search(r"to the new stone it is (\d+) metres east and (\d+) metres north", letters["1893"]).groups())
stone = (east, north - int(re.search(r"(\d+) metres to the south", letters["1893"])[1]))
moves = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}
corners, painted, areas = {}, {}, {}


def begin(lot, text):
    if lot == "H":
        text = re.search(r"It begins at the .* lot E", letters["1930"])[0]
    if "boundary stone" in text:
        return stone
    if m := re.search(r"church door, go (\d+) metres east", text):
        return int(m[1]), 0
    ordinal, other = re.search(r"[Bb]egins? at the (\w+) corner of lot ([A-H])", text).groups()
    return corners[other][ORDINALS.index(ordinal)]


for lot in "ABCEDFGH":
    text = deeds[lot]
    year = int(re.search(r"written in (\d+)", text)[1])
    rod = old if year < 1874 else new
    length = {"metre": 1, "rod": rod, "chain": 4 * rod}
    lines = []
    for way, n, unit in re.findall(r"(north|south|east|west) (\d+) (metre|rod|chain)", text):
        if lines and lines[-1][0] == way:
            lines[-1][1] += int(n) * length[unit]
        else:
            lines.append([way, int(n) * length[unit]])
    if lot == "C":
        assert "taken east for west" in letters["1881"]
        for line in lines:
            line[0] = {"east": "west", "west": "east"}.get(line[0], line[0])
    if lot == "F":
        shorter = int(re.search(r"first line .* is shorter by (\d+) rods", letters["1902"])[1]) * rod
        lines[0][1] -= shorter
        lines[2][1] -= shorter
    x, y = begin(lot, text)
    corners[lot], walls, start = [], {}, (x, y)
    for way, n in lines:
        corners[lot].append((x, y))
        dx, dy = moves[way]
        for _ in range(n):
            if dy:
                # A wall between two squares of the row that this metre runs along.
                row = y if dy > 0 else y - 1
                walls.setdefault(row, []).append(x)
            x, y = x + dx, y + dy
    assert (x, y) == start, lot
    squares = set()
    for row, at in walls.items():
        at.sort()
        for left, right in zip(at[::2], at[1::2]):
            squares |= {(column, row) for column in range(left, right)}
    painted[lot], areas[lot] = squares, len(squares)
check(__file__, {"lots": dict(sorted(areas.items())), "ground": len(set().union(*painted.values()))})
