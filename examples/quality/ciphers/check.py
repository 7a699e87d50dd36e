#!/usr/bin/env python3
"""Reads the messages one by one: each is deciphered as the one before says. Compares with answer.json."""

import os
import re
import sys
from string import ascii_uppercase as A

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import check, read  # noqa: E402

messages = read(__file__, "data/messages.json")


def back(text, counts):
    """Letters moved back by the counts, taken one after the other."""
    counts = iter(counts)
    return "".join(chr((ord(c) - 65 - next(counts)) % 26 + 65) if c.isalpha() else c for c in text)


def count_from(n, step):
    while True:
        yield n
        n += step


def cycle(word):
    while True:
        yield from (ord(c) - 65 for c in word)


def unshift(text, n):
    return back(text, count_from(n, 0))


def mirror(text):
    return text.translate(str.maketrans(A, A[::-1]))


def untable(text, word):
    row = []
    for c in word + A:
        if c not in row:
            row.append(c)
    return text.translate(str.maketrans("".join(row), A))


def words_back(text):
    return re.sub(r"[^ ]+", lambda m: m[0][::-1], text)


def unfence(text, n):
    out = [""] * len(text)
    places = [i for heap in range(n) for i in range(heap, len(text), n)]
    for place, c in zip(places, text):
        out[place] = c
    return "".join(out)


def unstep(text, n):
    return " ".join(unshift(w, n * (i + 1)) for i, w in enumerate(text.split(" ")))


known = []


def said(pattern):
    """What the messages read so far say, and say only once."""
    found = {m if isinstance(m, str) else tuple(m) for t in known for m in re.findall(pattern, t)}
    assert len(found) == 1, (pattern, found)
    return found.pop()


def men():
    return 12 - 2 * sum(" BACK WITH " in t and "GO" in t and "DOGS" in t for t in known)


def dogs():
    gone = 2 + int(said(r"LUND AND (\d+) DOGS")) + (5 if any("FIVE DOGS WERE EATEN" in t for t in known) else 0)
    gone += int(said(r"STRAND GO BACK WITH (\d+) DOGS")) + (9 if any("NINE DOGS FELL" in t for t in known) else 0)
    return int(said(r"WITH (\d+) DOGS AND \d+ SLEDGES")) - gone


# What each message must say about the next, and the way back from it.
STEPS = [
    ("SHIFT BY THE NUMBER OF OUR SLEDGES", lambda t: unshift(t, int(said(r"(\d+) SLEDGES")))),
    ("FIRST MIRROR, THEN WORDS BACK", lambda t: mirror(words_back(t))),
    ("KEY, AND THE WORD IS THE NAME OF THE SHIP", lambda t: back(t, cycle(said(r"SHIP IS CALLED (\w+)")))),
    ("RUNNING, FROM THE NUMBER OF MEN WHO ARE STILL WITH US", lambda t: back(t, count_from(men(), 1))),
    ("TABLE, AND THE WORD IS THE NAME OF THE MAN WHO HURT HIS KNEE", lambda t: untable(t, said(r"(\w+) HAS HURT HIS KNEE"))),
    ("LOST IN THE CREVASSE PLUS ONE", lambda t: unfence(t, {"TWO": 2}[said(r"(\w+) DOGS WERE LOST IN A CREVASSE")] + 1)),
    ("FIRST STEP BY THREE, THEN WHOLE BACK", lambda t: unstep(t[::-1], 3)),
    ("THE NAME OF THE MOUNTAIN", lambda t: back(t, cycle(said(r"MOUNTAIN IS SEEN, AND WE CALL IT (\w+)")))),
    ("FIRST SHIFT BY THE NUMBER OF DOGS THAT WE HAVE NOW, THEN FENCE 4", lambda t: unshift(unfence(t, 4), dogs())),
    ("THE WORD IS THE NAME OF THE PASS, THEN, AS A SECOND METHOD, RUNNING FROM 4", lambda t: untable(back(t, count_from(4, 1)), said(r"OUR COOK IS (\w+)"))),
    ("STEP, BY THE NUMBER OF MEN WHO ARE WITH US NOW", lambda t: unstep(t, men())),
    ("FIRST KEY WITH HIS NAME, THEN MIRROR, THEN WORDS BACK", lambda t: back(mirror(words_back(t)), cycle(said(r"UNLUCKY MAN, WHO IS CALLED (\w+)")))),
    ("AS MANY HEAPS AS DOGS WERE LEFT AFTER THE CLIMB, THEN SHIFT BY THE DAY OF FEBRUARY", lambda t: unfence(unshift(t, int(said(r"SINCE (\d+) FEBRUARY"))), dogs())),
    ("FIRST TABLE WITH THE NAME OF THE LEADER, THEN KEY WITH THE NAME OF OUR STATION, THEN WHOLE BACK",
     lambda t: untable(back(t[::-1], cycle(said(r"STATION (\w+) TO STATION"))), said(r"OUR LEADER IS (\w+)"))),
]
known.append(messages[0])
for (words, way), message in zip(STEPS, messages[1:]):
    assert words in known[-1], known[-1]
    known.append(way(message))
pounds, miles = {}, {}
for text in known:
    for name, mile, weight in re.findall(r"DEPOT (\w+) AT MILE (\d+)(?: WITH|,) (\d+) POUNDS", text):
        miles[name], pounds[name] = int(mile), int(weight)
pounds["ALFA"] -= int(said(r"TAKEN (\d+) POUNDS OF PEMMICAN FROM DEPOT ALFA"))
pounds["CHARLIE"] = int(said(r"IT HOLDS (\d+) POUNDS"))
carried = int(said(r"CARRIED (\d+) POUNDS OUT OF DEPOT DELTA"))
pounds["DELTA"] -= carried
pounds["FOXTROT"] += carried - int(said(r"ATE (\d+) POUNDS OF DEPOT FOXTROT"))
first, second = said(r"(\w+) HAS HURT HIS KNEE AND GOES BACK WITH (\w+)"), said(r"(\w+) AND (\w+) GO BACK WITH \d+ DOGS")
word = "".join(n[-1] for n in first + second) + "".join(n[0] for n, _ in sorted(pounds.items(), key=lambda i: i[1], reverse=True))
check(__file__, [sum(pounds[d] * miles[d] for d in miles), word])
