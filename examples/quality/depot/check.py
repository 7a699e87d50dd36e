#!/usr/bin/env python3
"""Keeps the books from the words of the reports: a list of movements, summed up week by week. Compares with answer.json."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import check, read  # noqa: E402

opening = read(__file__, "data/opening.json")
weeks = read(__file__, "data/weeks.json")
ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth".split()
PARTS = {"sixth": 6, "ninth": 9, "tenth": 10, "twelfth": 12}
WEEK = f"the ({'|'.join(ORDINALS)}) week"
PLACE, GOOD = r"(Vik|Horn|Sund|Nes)", r"(flour|oil|fuel|timber)"
UNIT = r"(?:sacks|drums|barrels|planks)"

# What is booked: (week, who, good, amount that came in). Sent goods are negative.
booked, changes = [], {g: {} for g in opening["stock"]}
gone, eaten, mice, seen = [], 0, False, 0


def amount(week, who, good):
    """What a village was sent, or a boat landed, in a week, as it is known now."""
    return sum(abs(n) for w, x, g, n in booked if (w, x, g) == (week, who, good))


def week_of(word):
    return ORDINALS.index(word) + 1


def people(village, week):
    n = opening["people"][village]
    for w in weeks[:week]:
        for k, a, b in re.findall(rf"(\d+) people have moved from {PLACE} to {PLACE}", w["report"].replace("\n", " ")):
            n += int(k) * ((b == village) - (a == village))
    return n


for number, week in enumerate(weeks, 1):
    total = sum(opening["stock"].values()) + sum(n for *_, n in booked) + sum(n for *_, n in gone)
    assert total == week["needs"], number
    text = " ".join(week["report"].split())
    now = []
    for word, who, _, right, good, wrong in re.findall(rf"in {WEEK} (?:the )?(\w+) (was sent|landed) (\d+) {UNIT} of {GOOD} and not (\d+)", text):
        w = week_of(word)
        assert amount(w, who, good) == int(wrong)
        # The week itself is mended in what is booked; the closes that were are not asked for again.
        booked = [b for b in booked if b[:3] != (w, who, good)] + [(w, who, good, int(right) * (1 if who in ("Marianne", "Petrel") else -1))]
        seen += 1
    text = re.sub(r"An entry was wrong:[^.]*\.", "", text)
    for boat, n, good in re.findall(rf"The (\w+) landed (\d+) {UNIT} of {GOOD}", text):
        now.append((number, boat, good, int(n)))
    for n, good, boat in re.findall(rf"We took over (\d+) {UNIT} of {GOOD} from the (\w+)", text):
        now.append((number, boat, good, int(n)))
    for boat, good, w in re.findall(rf"The (\w+) landed as much {GOOD} as in {WEEK}", text):
        now.append((number, boat, good, amount(week_of(w), boat, good)))
    for good, village, w in re.findall(rf"The {GOOD} that {PLACE} was sent in {WEEK} came back", text):
        gone.append((number, good, amount(week_of(w), village, good)))
        seen += 1
    for village, n, good in re.findall(rf"{PLACE} was sent (\d+) {UNIT} of {GOOD}", text):
        now.append((number, village, good, -int(n)))
    for n, good, village in re.findall(rf"(\d+) {UNIT} of {GOOD} went out to {PLACE}", text):
        now.append((number, village, good, -int(n)))
    for village, good, w in re.findall(rf"{PLACE} wanted as much {GOOD} as in {WEEK}", text):
        now.append((number, village, good, -amount(week_of(w), village, good)))
    for village, good, w in re.findall(rf"{PLACE} was sent half as much {GOOD} again as in {WEEK}", text):
        now.append((number, village, good, -amount(week_of(w), village, good) * 3 // 2))
    for double, village in re.findall(rf"The (double )?ration of flour went to {PLACE}", text):
        now.append((number, village, "flour", -((people(village, number) + 5) // 6) * (2 if double else 1)))
    booked += now
    seen += len(now)

    def on_hand(good):
        return opening["stock"][good] + sum(n for _, _, g, n in booked if g == good) + sum(n for _, g, n in gone if g == good)

    mice = ("There are mice" in text or mice) and "the mice are gone" not in text
    if mice:
        lost = on_hand("flour") // 40
        eaten += lost
        gone.append((number, "flour", -lost))
    leaks = re.findall(rf"An? (\w+) of the {GOOD} leaked", text) + re.findall(rf"A leak in the roof spoilt an? (\w+) of the {GOOD}", text)
    for part, good in leaks:
        gone.append((number, good, -(on_hand(good) // PARTS[part])))
        seen += 1

# 71 events in all, less those of mice, cats and moves, which are no movements.
assert seen == 64, seen
check(__file__, {**{g: on_hand(g) for g in ("flour", "oil", "fuel", "timber")}, "mice": eaten})
