#!/usr/bin/env python3
"""Makes the deeds of eight lots and the letters about them, and measures the ground.

python3 make.py writes the data, python3 make.py --verify compares it.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import fill, write  # noqa: E402

INDEX = """
How deeds are read. A deed walks around its lot, from corner to corner, along lines that run north, south, east or west. The place where it begins is the first corner of
the lot, the place where it first turns is the second, and so on; walking on in the same direction is no turn. Behind the last line the deed is back at its first
corner, unless it says otherwise. Lengths are in metres, rods or chains. A chain is always four rods. How long a rod was is said in the letter of 1874. Where a letter mends a deed, the
mended deed holds, also for other deeds that begin at its corners.

Letters: 1874 (on rods), 1881 (on lot C), 1893 (on the stone), 1902 (on lot F), 1911 (on the mill race), 1930 (on lot H).
"""
LETTERS = {
    1874: """You ask how long our rod is. In deeds that were written before this year of 1874 a rod is 6 metres, in those of this year and of later ones it is 5 metres. It does not matter when
        the fence was set or the fee was paid, only when the deed was written. The rod of the church, 5 metres and a half, was never used for fields.""",
    1881: """When we measured lot C again we saw that the writer of its deed had taken east for west, and west for east, throughout; north and south are as he wrote. The lengths are right. The
        deed holds as if he had written it rightly. Lot D, which begins at a corner of lot C, thereby begins elsewhere than people thought.""",
    1893: """The old boundary stone was found, 10 metres to the south of where the new one has been set. All deeds that speak of the boundary stone mean the old one, whatever their
        year. The church door is where it was. (From the church door to the new stone it is 30 metres east and 40 metres north.)""",
    1902: """Lot F was sold in part. What is left of it is the deed as written, but the first line (from the first corner to the second) is shorter by 4 rods of its deed, and the third
        line is shorter by as much, so that it closes again. The buyer of the rest has gone to America, and the rest belongs to no lot now.""",
    1911: """The mill race was filled in. No deed is changed by this; the ground of the mill race was always part of the lots on both sides, each to the middle, and has been measured in
        the deeds.""",
    1930: """Lot H: the deed is right, but where it says second corner of lot E the pen has slipped. It begins at the fourth corner of lot E.""",
}
# Lot: (year, begin, offset in words, steps). Steps are (direction, number, unit).
DEEDS = {
    "A": (1868, "Begin at the boundary stone and go", [("north", 10, "rods"), ("east", 12, "rods"), ("south", 5, "rods"), ("west", 4, "rods"), ("south", 5, "rods"), ("west", 8, "rods")],
          "The spring in the corner may be used by the neighbours. Fee: 12 crowns."),
    "B": (1870, "Begin at the third corner of lot A and go", [("west", 2, "chains"), ("south", 7, "rods"), ("east", 8, "rods"), ("north", 7, "rods")], "Sold for 340 crowns and a cow."),
    "C": (1872, "Begin at the fourth corner of lot A and go", [("west", 9, "rods"), ("south", 60, "metres"), ("east", 4, "rods"), ("north", 5, "rods"), ("east", 5, "rods"), ("north", 30, "metres")],
          "The hay of the first year belongs to the seller."),
    "D": (1876, "Begin at the third corner of lot C and go", [("west", 3, "chains"), ("south", 8, "rods"), ("east", 7, "rods"), ("south", 4, "rods"), ("east", 1, "chains"), ("east", 1, "rods"), ("north", 12, "rods")],
          "With the right to drive cattle over lot C in May."),
    "E": (1880, "Begin at the church door, go 25 metres east without marking anything, and from there, which is the first corner, go", [("south", 3, "chains"), ("east", 90, "metres"), ("north", 3, "chains"), ("west", 18, "rods")],
          "The wall along the first line is kept up by the church."),
    "F": (1885, "Begin at the third corner of lot E and go", [("east", 16, "rods"), ("south", 10, "rods"), ("west", 12, "rods"), ("south", 5, "rods"), ("west", 4, "rods"), ("north", 15, "rods")],
          "Measured with a new chain of the usual length."),
    "G": (1873, "Begin at the fifth corner of lot C and go", [("east", 16, "rods"), ("north", 6, "rods"), ("west", 5, "rods"), ("north", 12, "metres"), ("west", 11, "rods"), ("south", 2, "chains")],
          "Written down from what was said in the inn."),
    "H": (1921, "Begin at the second corner of lot E and go", [("west", 9, "rods"), ("north", 10, "rods"), ("west", 15, "metres"), ("north", 25, "metres"), ("east", 12, "rods"), ("south", 75, "metres")],
          "The first deed of the farm that was typed."),
}
MOVES = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}
DOOR, STONE = (0, 0), (30, 30)


def walk(begin, steps, year):
    """Corners of a lot: the steps in metres, those in one direction joined."""
    rod = 6 if year < 1874 else 5
    place, corners, last = begin, [], None
    for direction, n, unit in steps:
        if direction != last:
            corners.append(place)
        metres = n * {"metres": 1, "rods": rod, "chains": 4 * rod}[unit]
        dx, dy = MOVES[direction]
        place, last = (place[0] + dx * metres, place[1] + dy * metres), direction
    assert place == begin, (begin, place)
    return corners


def measured():
    lots = {}
    lots["A"] = walk(STONE, DEEDS["A"][2], DEEDS["A"][0])
    lots["B"] = walk(lots["A"][2], DEEDS["B"][2], DEEDS["B"][0])
    turned = [({"east": "west", "west": "east"}.get(d, d), n, u) for d, n, u in DEEDS["C"][2]]
    lots["C"] = walk(lots["A"][3], turned, DEEDS["C"][0])
    lots["D"] = walk(lots["C"][2], DEEDS["D"][2], DEEDS["D"][0])
    lots["E"] = walk((25, 0), DEEDS["E"][2], DEEDS["E"][0])
    f = [list(s) for s in DEEDS["F"][2]]
    f[0][1] -= 4
    f[2][1] -= 4
    lots["F"] = walk(lots["E"][2], f, DEEDS["F"][0])
    lots["G"] = walk(lots["C"][4], DEEDS["G"][2], DEEDS["G"][0])
    lots["H"] = walk(lots["E"][3], DEEDS["H"][2], DEEDS["H"][0])
    return lots


def area(corners):
    """By the formula of the trapezoids."""
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1]))) // 2


def inside(x, y, corners):
    """Whether a point that lies on no line is in a lot: how often a ray to the east crosses its lines."""
    closed = corners + corners[:1]
    return sum((y1 > y) != (y2 > y) and x1 > x for (x1, y1), (_, y2) in zip(closed, closed[1:])) % 2 == 1


def ground(lots):
    """What belongs to at least one lot: the rectangles between all lines, each looked at once."""
    xs = sorted({x for c in lots.values() for x, _ in c})
    ys = sorted({y for c in lots.values() for _, y in c})
    total = 0
    for x1, x2 in zip(xs, xs[1:]):
        for y1, y2 in zip(ys, ys[1:]):
            if any(inside((x1 + x2) / 2, (y1 + y2) / 2, c) for c in lots.values()):
                total += (x2 - x1) * (y2 - y1)
    return total


def deed(lot):
    year, begin, steps, tail = DEEDS[lot]
    ways = [f"{d} {n} {u if n != 1 else u[:-1]}" for d, n, u in steps]
    text = f"Deed of lot {lot}, written in {year}. {begin} {', then '.join(ways[:2])}, {', '.join(ways[2:-1])}, and at last {ways[-1]}. {tail}"
    return fill(text)


lots = measured()
result = {"lots": {k: area(c) for k, c in sorted(lots.items())}, "ground": ground(lots)}
if "-v" in sys.argv:
    print(lots, sum(result["lots"].values()))
write(__file__, {
    "data/index.txt": fill(INDEX) + "\n", "data/deeds.json": {k: deed(k) for k in DEEDS}, "data/letters.json": {str(k): fill(t) for k, t in LETTERS.items()}, "answer.json": result,
})
