#!/usr/bin/env python3
"""Runs the pile on a machine that is built from small functions, one for each card. Compares with answer.json."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import check, read  # noqa: E402

manual = {k: " ".join(t.split()) for k, t in read(__file__, "data/manual.json").items()}
number = int(re.search(r"Counting machine number (\d+)", manual["plate"])[1])
up = number > int(re.search(r"rounded up on machines with a number above (\d+)", manual["mending"])[1])
room = 6 if number > int(re.search(r"above (\d+) hold six numbers", manual["mending"])[1]) else 8
assert "double never rings the bell" in manual["mending"]

deck = {}
for line in read(__file__, "data/cards.txt").splitlines():
    n, text = re.fullmatch(r"(\d+) (.*)", line).groups()
    deck[int(n)] = text
deck = [deck[n] for n in sorted(deck) if deck[n][0] != "*"]
place = {text[5:]: i for i, text in enumerate(deck) if text.startswith("mark ")}


class Machine:
    a = b = c = d = bell = obeyed = position = 0
    lamp = False

    def __init__(self):
        self.stack = []

    def grow(self, wheel, by, rings):
        total = getattr(self, wheel) + by
        if total < 0:
            self.lamp = True
        self.bell += int(total >= 10000 and rings)
        setattr(self, wheel, max(total, 0) % 10000)

    def keep(self, value):
        self.stack.insert(0, value)
        self.bell += len(self.stack) > room
        del self.stack[room:]

    def fetch(self):
        if not self.stack:
            self.lamp = True
            return 0
        return self.stack.pop(0)


RULES = [
    (r"put (\d+) in ([A-D])", lambda m, n, x: setattr(m, x, int(n))),
    (r"copy ([A-D]) to ([A-D])", lambda m, x, y: setattr(m, y, getattr(m, x))),
    (r"add ([A-D]) to ([A-D])", lambda m, x, y: m.grow(y, getattr(m, x), True)),
    (r"take ([A-D]) from ([A-D])", lambda m, x, y: m.grow(y, -getattr(m, x), False)),
    (r"double ([A-D])", lambda m, x: m.grow(x, getattr(m, x), False)),
    (r"halve ([A-D])", lambda m, x: setattr(m, x, -(-getattr(m, x) // 2) if up else getattr(m, x) // 2)),
    (r"keep ([A-D])", lambda m, x: m.keep(getattr(m, x))),
    (r"fetch ([A-D])", lambda m, x: setattr(m, x, m.fetch())),
    (r"ring", lambda m: setattr(m, "bell", m.bell + 1)),
    (r"mark \w+", lambda m: None),
]
machine, wheels = Machine(), "abcd"
while True:
    card = deck[machine.position]
    machine.position += 1
    machine.obeyed += 1
    if card == "stop":
        break
    if swap := re.fullmatch(r"swap ([A-D]) ([A-D])", card):
        x, y = swap[1].lower(), swap[2].lower()
        was = getattr(machine, x)
        setattr(machine, x, getattr(machine, y))
        setattr(machine, y, was)
    elif go := re.fullmatch(r"go (\w+)(?: if (lamp|[A-D]))?", card):
        if go[2] is None or (machine.lamp if go[2] == "lamp" else getattr(machine, go[2].lower())):
            machine.position = place[go[1]]
        if go[2] == "lamp":
            machine.lamp = False
    else:
        (rule,) = [(m, f) for p, f in RULES if (m := re.fullmatch(p, card))]
        rule[1](machine, *[g.lower() for g in rule[0].groups()])
check(__file__, [getattr(machine, w) for w in wheels] + [machine.bell, machine.obeyed])
