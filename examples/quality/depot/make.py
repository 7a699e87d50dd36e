#!/usr/bin/env python3
"""Makes the reports of fifteen weeks from what happened in them, and the books that follow.

python3 make.py writes the data, python3 make.py --verify compares it.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import Numbers, fill, write  # noqa: E402

ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth".split()
UNITS = {"flour": "sacks", "oil": "drums", "fuel": "barrels", "timber": "planks"}
OPENING = {"stock": {"flour": 180, "oil": 64, "fuel": 90, "timber": 240}, "people": {"Vik": 83, "Horn": 51, "Sund": 34, "Nes": 19}}

HANDBOOK = {
    "order": """Within a week the order is: first entries that are mended, then what was landed, then what came back, then what was sent out, and at last the losses
        of the evening. The report tells things as they came to the writer's mind, in any order. What lies in the harbour, was promised, is talked about or belongs to somebody
        else is not in our books. A load counts in the week in whose report it was landed.""",
    "losses": """Mice: while there are mice in the store, one sack of flour is lost at each close for every full forty sacks that are then on hand. The
        report says when they have come (they eat at the close of that very week already) and when they are gone (they do not eat any more at the close of
        that week). A leak: the part that the report names is lost of what is on hand at the close, rounded down to whole units. Mice come before leaks. A leak is a matter of one
        evening only.""",
    "rations": """A ration of flour for a village is one sack for every six people, and one sack for what remains of people, if any remain (so 83
        people get fourteen sacks). Whoever moves is counted in the new village from the week of the report on, for rations that are sent in that same week too. A
        double ration is twice the ration. Visitors get nothing.""",
    "mending": """If a report says that an entry of an earlier week was wrong, the closes of the weeks that are over are left as they are. The difference is put right in the week of the
        report, as the first thing. Whoever later speaks of what was sent or landed in that earlier week means the mended figure. As much as in a week means the amount of that good
        that the same village was sent, or the same boat landed, in that week. Half as much again is one and a half times as much.""",
}

# What happens, week by week. Amounts of a good are ("land", boat, good, n), ("send", village, good, n), and so on.
WEEKS = [
    [("land", "Marianne", "flour", 126), ("land", "Marianne", "oil", 22), ("send", "Vik", "timber", 34), ("send", "Nes", "fuel", 8), ("send", "Horn", "oil", 12)],
    [("ration", "Vik"), ("ration", "Horn"), ("land", "Petrel", "timber", 75), ("send", "Sund", "fuel", 14), ("send", "Vik", "oil", 9)],
    [("mice",), ("land", "Marianne", "fuel", 48), ("send", "Horn", "timber", 46), ("send", "Sund", "flour", 23), ("same", "Vik", "timber", 1)],
    [("ration", "Nes"), ("land", "Petrel", "oil", 31), ("leak", "fuel", "a tenth", 10), ("send", "Nes", "timber", 28), ("send", "Vik", "fuel", 16)],
    [("landsame", "Marianne", "flour", 1), ("half", "Horn", "timber", 3), ("ration", "Sund"), ("send", "Horn", "fuel", 11)],
    [("mend", 2, "Sund", "fuel", 14, 41), ("land", "Petrel", "fuel", 60), ("double", "Vik"), ("send", "Nes", "oil", 6)],
    [("move", 11, "Vik", "Horn"), ("ration", "Vik"), ("ration", "Horn"), ("back", "Nes", "timber", 4), ("land", "Marianne", "flour", 97)],
    [("same", "Sund", "fuel", 2), ("land", "Petrel", "timber", 110), ("send", "Vik", "oil", 14), ("leak", "oil", "a twelfth", 12)],
    [("cat",), ("landsame", "Petrel", "oil", 4), ("half", "Vik", "oil", 8), ("send", "Sund", "timber", 52), ("ration", "Nes")],
    [("mend", 7, "Marianne", "flour", 97, 79), ("land", "Marianne", "fuel", 33), ("send", "Horn", "flour", 38), ("move", 7, "Sund", "Nes")],
    [("ration", "Sund"), ("double", "Nes"), ("land", "Petrel", "oil", 18), ("same", "Vik", "fuel", 4), ("back", "Horn", "flour", 10)],
    [("mice",), ("landsame", "Marianne", "flour", 7), ("send", "Vik", "timber", 61), ("same", "Horn", "oil", 1), ("leak", "timber", "a ninth", 9)],
    [("landsame", "Petrel", "timber", 8), ("mend", 9, "Vik", "oil", 21, 12), ("ration", "Horn"), ("send", "Nes", "fuel", 13)],
    [("move", 14, "Horn", "Sund"), ("double", "Sund"), ("same", "Vik", "oil", 9), ("land", "Marianne", "flour", 64), ("half", "Nes", "fuel", 1)],
    [("cat",), ("landsame", "Marianne", "fuel", 10), ("ration", "Horn"), ("ration", "Sund"), ("same", "Sund", "timber", 9), ("leak", "flour", "a sixth", 6)],
]
NOISE = [
    "The bell of the church has a crack, and 12 crowns were given for it.",
    "It blew from the north-east on five days of seven.",
    "The schooner in the bay has 300 sacks of flour aboard, none of them for us.",
    "The teacher has asked for 20 planks for a new fence; nothing has been decided.",
    "A visitor of the parson counted 41 seals on the skerry.",
    "The price of oil on the mainland is said to be 18 a drum now.",
    "Two of the boys have painted the door of the store green.",
    "Old Aslak says he has never seen so much ice, and he is 88.",
    "The Petrel is to have her bottom scraped in spring.",
    "Sund has promised 6 barrels for the feast, of their own.",
    "The doctor came on Tuesday and saw 27 people.",
    "A crate with 30 lamps for the parson was put down in our store for a night and fetched again.",
]


def sentence(event, week, numbers):
    """An event in words."""
    kind, *rest = event
    if kind == "land":
        boat, good, n = rest
        return numbers.pick([f"The {boat} landed {n} {UNITS[good]} of {good}.", f"We took over {n} {UNITS[good]} of {good} from the {boat}."])
    if kind == "landsame":
        boat, good, k = rest
        return f"The {boat} landed as much {good} as in the {ORDINALS[k - 1]} week."
    if kind == "send":
        village, good, n = rest
        return numbers.pick([f"{village} was sent {n} {UNITS[good]} of {good}.", f"{n} {UNITS[good]} of {good} went out to {village}."])
    if kind == "same":
        village, good, k = rest
        return f"{village} wanted as much {good} as in the {ORDINALS[k - 1]} week, and was sent it."
    if kind == "half":
        village, good, k = rest
        return f"{village} was sent half as much {good} again as in the {ORDINALS[k - 1]} week."
    if kind in ("ration", "double"):
        return f"The {'double ' if kind == 'double' else ''}ration of flour went to {rest[0]}."
    if kind == "back":
        village, good, k = rest
        return f"The {good} that {village} was sent in the {ORDINALS[k - 1]} week came back to us, all of it."
    if kind == "mend":
        k, who, good, wrong, right = rest
        verb = "was sent" if who in OPENING["people"] else "landed"
        who = who if who in OPENING["people"] else f"the {who}"
        return f"An entry was wrong: in the {ORDINALS[k - 1]} week {who} {verb} {right} {UNITS[good]} of {good} and not {wrong}."
    if kind == "move":
        n, a, b = rest
        return f"{n} people have moved from {a} to {b}."
    if kind == "mice":
        return "There are mice in the store."
    if kind == "cat":
        return "The cat of the lighthouse was lent to us, and the mice are gone."
    good, words, _ = rest
    return f"{words.capitalize()} of the {good} leaked away that evening." if good in ("oil", "fuel") else f"A leak in the roof spoilt {words} of the {good} that evening."


def run():
    """The books: closing stocks of each week, and what mice ate."""
    stock, people = dict(OPENING["stock"]), dict(OPENING["people"])
    moved, closes, mice, eaten = {}, [sum(stock.values())], False, 0
    for number, events in enumerate(WEEKS, 1):
        def add(who, good, n, sign):
            stock[good] += sign * n
            moved[(number, who, good)] = moved.get((number, who, good), 0) + n

        for e in events:
            if e[0] == "move":
                people[e[2]] -= e[1]
                people[e[3]] += e[1]
        for e in events:
            if e[0] == "mend":
                _, k, who, good, wrong, right = e
                assert moved[(k, who, good)] == wrong, e
                moved[(k, who, good)] = right
                stock[good] += (right - wrong) * (1 if who not in people else -1)
        for e in events:
            if e[0] == "land":
                add(e[1], e[2], e[3], 1)
            elif e[0] == "landsame":
                add(e[1], e[2], moved[(e[3], e[1], e[2])], 1)
            elif e[0] == "back":
                stock[e[2]] += moved[(e[3], e[1], e[2])]
        for e in events:
            if e[0] == "send":
                add(e[1], e[2], e[3], -1)
            elif e[0] == "same":
                add(e[1], e[2], moved[(e[3], e[1], e[2])], -1)
            elif e[0] == "half":
                n = moved[(e[3], e[1], e[2])]
                assert n % 2 == 0, e
                add(e[1], e[2], n * 3 // 2, -1)
            elif e[0] in ("ration", "double"):
                add(e[1], "flour", -(-people[e[1]] // 6) * (2 if e[0] == "double" else 1), -1)
            elif e[0] in ("mice", "cat"):
                mice = e[0] == "mice"
        if mice:
            eaten += stock["flour"] // 40
            stock["flour"] -= stock["flour"] // 40
        for e in events:
            if e[0] == "leak":
                stock[e[1]] -= stock[e[1]] // e[3]
        assert min(stock.values()) >= 0, (number, stock)
        closes.append(sum(stock.values()))
        if "-v" in sys.argv:
            print(number, stock, people, eaten)
    return closes, {**stock, "mice": eaten}


closes, result = run()
numbers = Numbers(77)
noise, weeks = numbers.shuffled(NOISE) + numbers.shuffled(NOISE), []
for number, events in enumerate(WEEKS, 1):
    said = [sentence(e, number, numbers) for e in events] + [noise.pop(), noise.pop()] if number % 2 else [sentence(e, number, numbers) for e in events] + [noise.pop()]
    weeks.append({"needs": closes[number - 1], "report": fill(f"Report of the {ORDINALS[number - 1]} week. " + " ".join(numbers.shuffled(said)))})
write(__file__, {
    "data/opening.json": OPENING,
    "data/handbook.json": {k: fill(t) for k, t in HANDBOOK.items()},
    "data/weeks.json": weeks,
    "answer.json": result,
})
