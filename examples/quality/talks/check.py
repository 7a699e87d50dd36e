#!/usr/bin/env python3
"""Reads the answers as they were given, marks every minute, and looks for the first hour. Compares with answer.json."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import check, read  # noqa: E402

data = read(__file__, "data/answers.json")
people, rooms = data["people"], data["rooms"]
brief = " ".join(read(__file__, "data/brief.txt").split())
AHEAD = {"Ines": 60, "Jonas": 120, "Tomas": 120, "Wanjiru": 180, "Giorgi": 240, "Meera": 330}
assert "Lisbon is one hour ahead of UTC, Oslo and Prague two hours, Nairobi three, Tbilisi four, Pune five and a half" in brief
DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday"]
CLOCK = r"(\d+):(\d\d)"


def spans(text):
    """Busy times that a person's sentences speak of."""
    out, rest = [], text
    for pattern, order in (
        (rf"From {CLOCK} to {CLOCK} I have [^.]*\.", "both"), (rf"[A-Z][A-Za-z ]* keeps me from {CLOCK} until {CLOCK}\.", "both"),
        (rf"At {CLOCK} there is [^.]*, which takes (\d+) minutes\.", "length"), (rf"There is [^.]* of (\d+) minutes that ends at {CLOCK}\.", "end"),
    ):
        for m in re.finditer(pattern, rest):
            g = list(map(int, m.groups()))
            if order == "both":
                out.append((g[0] * 60 + g[1], g[2] * 60 + g[3]))
            elif order == "length":
                out.append((g[0] * 60 + g[1], g[0] * 60 + g[1] + g[2]))
            else:
                out.append((g[1] * 60 + g[2] - g[0], g[1] * 60 + g[2]))
        rest = re.sub(pattern, "", rest)
    assert not rest.strip() or rest == "Nothing that day.", rest
    return out


assert "Wednesday has been moved to Thursday" in people["Nino"]["other"] and "in the field until 15:00" in people["Anil"]["other"]
assert "for the last 30 minutes" in people["Tomas"]["other"] and "half an hour before" in people["Wanjiru"]["other"]
open_minutes = {}
for name, ahead in AHEAD.items():
    first, last, lunch, until = map(int, re.search(r"from (\d+):00 to (\d+):00, and keep (\d+):00 to \d+:(\d+) free", people[name]["hours"]).groups())
    if moved := re.search(r"lunch is at (\d+):00", people[name]["other"]):
        lunch = int(moved[1])
    for day in DAYS:
        asked = day
        if name == "Giorgi" and day in ("wednesday", "thursday"):
            asked = "thursday" if day == "wednesday" else "wednesday"
        minutes = set(range(first * 60, last * 60)) - set(range(lunch * 60, lunch * 60 + until))
        for begin, end in spans(people[name][asked]):
            minutes -= set(range(begin, end))
        if name == "Meera" and day in ("wednesday", "thursday"):
            minutes -= set(range(15 * 60))
        open_minutes[(name, day)] = {m - ahead for m in minutes}
room_minutes = {}
for room, text in rooms.items():
    for day, bookings in re.findall(r"(\w+day): booked ([^.]*)\.", text):
        minutes = set(range(24 * 60))
        for a, b, c, d in re.findall(rf"{CLOCK}-{CLOCK}", bookings):
            minutes -= set(range(int(a) * 60 + int(b), int(c) * 60 + int(d)))
        if room == "Elv" and day in ("Monday", "Tuesday", "Wednesday"):
            minutes = set()
        room_minutes[(room, day.lower())] = {m - 120 for m in minutes}


def search():
    for day in DAYS:
        for begin in range(0, 24 * 60, 15):
            talks = set(range(begin, begin + 60))
            need = {n: talks for n in AHEAD} | {"Tomas": set(range(begin + 30, begin + 60)), "Wanjiru": set(range(begin - 30, begin + 60))}
            if all(need[n] <= open_minutes[(n, day)] for n in AHEAD):
                for room in sorted(rooms):
                    if talks <= room_minutes[(room, day)]:
                        return [day, f"{begin // 60}:{begin % 60:02}", room]


check(__file__, search())
