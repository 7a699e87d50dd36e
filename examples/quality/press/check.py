#!/usr/bin/env python3
"""Reads the sheets for the serial number and counts every single piece of the press. Compares with answer.json."""

import os
import re
import sys
from collections import Counter

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import check, read  # noqa: E402

SERIAL = 214
drawings = read(__file__, "data/drawings.json")
WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def number(word):
    return int(word) if word.isdigit() else WORDS.index(word)


def holds(change):
    text = " ".join(drawings["changes"][str(change)].split())
    low, high = re.search(r"serial numbers from (\d+) (?:to (\d+)|on)", text).groups()
    return text if int(low) <= SERIAL <= int(high or 300) else ""


def own(part):
    """What a part takes itself, and its parts."""
    text = " ".join([r for r in drawings["parts"][str(part)] if r["from"] <= SERIAL][-1]["text"].split())
    m6, m8 = [g for g in re.search(r"Screws: (\d+) M6, (\d+) M8|takes (\w+) M6 and (\w+) M8|M6: (\d+)\. M8: (\d+)", text).groups() if g]
    brass = re.search(r"Brass: (\d+) g|(\d+) g of brass", text)
    takes = Counter(M6=number(m6), M8=number(m8), grams=int(brass[1] or brass[2]) if brass else 0)
    parts = Counter({int(p): number(k) for k, p in re.findall(r"(\w+) of (\d{4})", text)})
    # The changes are few: each is asked whether it holds and says what a reader takes from it.
    for change in map(int, re.findall(r"change (\d+)", text)):
        words = holds(change)
        if change == 17 and words and part == 5000:
            del parts[5400]
        if change == 22 and words and part == 5100:
            takes["M8"] = number(re.search(r"(\w+) screws M8", words)[1])
        if change == 31 and words:
            assert holds(44) and "taken back for the side arm 5200 only" in holds(44)
            if part == 5300:
                parts[5321] = parts.pop(5320)
            if part == 5000:
                takes["M6"] = number(re.search(r"(\w+) screws M6", words)[1])
        if change == 38 and words and part == 5500:
            del parts[5130]
        if change == 38 and words and part == 5120:
            parts[5121] = number(re.search(r"there are (\w+) rails", words)[1])
            takes["grams"] -= int(re.search(r"lighter by (\d+) grams", words)[1])
        if change == 40 and words and part == 5210:
            parts[5211] = 3
    return takes, parts


total, waiting = Counter(), Counter({5000: 1})
while waiting:
    part, k = waiting.popitem()
    takes, parts = own(part)
    for what, much in takes.items():
        total[what] += k * much
    for child, much in parts.items():
        waiting[child] += k * much
check(__file__, [total["M6"], total["M8"], total["grams"]])
