#!/usr/bin/env python3
"""Makes fifteen enciphered messages and the book that describes their ciphers.

python3 make.py writes the data, python3 make.py --verify compares it.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import fill, write  # noqa: E402

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CODEBOOK = """
THE BOOK OF METHODS

Messages are written with the capital letters A to Z, digits, blanks and the signs . , : only. Letters are counted A 0, B 1, up to Z 25. Unless a method says otherwise, it changes letters only;
digits, blanks and signs stay as they are and where they are. What stands here is how a message is enciphered; whoever reads it goes the other way.

SHIFT by n: every letter is moved n places on in the alphabet, from Z back to A.

MIRROR: A becomes Z, B becomes Y, and so on.

KEY word: below the letters of the message (blanks, digits and signs left out) the word is written again and again, from its first letter on; each letter of the message is moved on by the
count of the letter below it.

RUNNING n: the first letter of the message is moved on by n, the second by n plus 1, the third by n plus 2, and so on; only letters are counted.

TABLE word: the letters of the word, each only where it stands first, followed by all other letters of the alphabet in order, are written below A to Z. Each letter of the message is replaced by the one below it.

WORDS BACK: each piece between blanks is written from its end to its beginning, signs and digits included.

WHOLE BACK: the whole message is written from its end to its beginning, with all that is in it.

FENCE n: the characters of the message, blanks and all, are dealt in turn onto n heaps (the first onto heap 1, the second onto heap 2, and so on, then again onto heap 1); the message is heap 1 from
its first to its last character, then heap 2, and so on.

STEP n: as SHIFT, but by n for the letters of the first piece between blanks, by twice n for those of the second piece, by three times n for those of the third, and so on.

Several methods: FIRST x THEN y means that the writer has used x on the plain words, and y on what came of it.

Numbers in words below one hundred are written without a hyphen: TWENTY ONE. A name that is called a word of the book is the word itself.
"""


def shift_letters(text, amounts):
    """Letters moved by the amounts, one for each letter."""
    out, i = "", 0
    for c in text:
        if c in ALPHABET:
            c = ALPHABET[(ALPHABET.index(c) + amounts(i)) % 26]
            i += 1
        out += c
    return out


def apply(method, text):
    name, *rest = method
    if name == "shift":
        return shift_letters(text, lambda i: rest[0])
    if name == "mirror":
        return "".join(ALPHABET[25 - ALPHABET.index(c)] if c in ALPHABET else c for c in text)
    if name == "key":
        return shift_letters(text, lambda i: ALPHABET.index(rest[0][i % len(rest[0])]))
    if name == "running":
        return shift_letters(text, lambda i: rest[0] + i)
    if name == "table":
        table = "".join(dict.fromkeys(rest[0] + ALPHABET))
        return "".join(table[ALPHABET.index(c)] if c in ALPHABET else c for c in text)
    if name == "words-back":
        return " ".join(w[::-1] for w in text.split(" "))
    if name == "whole-back":
        return text[::-1]
    if name == "fence":
        return "".join(text[i::rest[0]] for i in range(rest[0]))
    if name == "step":
        return " ".join(shift_letters(w, lambda i, k=k: rest[0] * k) for k, w in enumerate(text.split(" "), 1))
    raise ValueError(name)


# How each message is enciphered, and what it says.
MESSAGES = [
    ([], "STATION ICEFOOT TO STATION HAVN. WE ARE TWELVE, WITH 46 DOGS AND 9 SLEDGES. THE SHIP IS CALLED PROVIDENCE. OUR LEADER IS HALLE, OUR COOK IS BRUUN. THE NEXT MESSAGE IS ENCIPHERED BY SHIFT "
     "BY THE NUMBER OF OUR SLEDGES."),
    ([("shift", 9)], "WE HAVE LAID DEPOT ALFA AT MILE 30 WITH 210 POUNDS OF PEMMICAN. TWO DOGS WERE LOST IN A CREVASSE. THE NEXT MESSAGE: FIRST MIRROR, THEN WORDS BACK."),
    ([("mirror",), ("words-back",)], "DEPOT BRAVO AT MILE 62, 180 POUNDS. VESTBY HAS HURT HIS KNEE AND GOES BACK WITH LUND AND 7 DOGS. THE NEXT MESSAGE: KEY, AND THE WORD IS THE NAME OF THE SHIP."),
    ([("key", "PROVIDENCE")], "DEPOT CHARLIE AT MILE 95, 150 POUNDS. THE COOK HAS BAKED A CAKE FOR THE SUN, WHICH IS BACK SINCE 11 FEBRUARY. THE NEXT MESSAGE: RUNNING, FROM THE NUMBER OF MEN WHO ARE STILL WITH US."),
    ([("running", 10)], "A BEAR HAS TAKEN 35 POUNDS OF PEMMICAN FROM DEPOT ALFA. IT WAS SHOT. ITS LIVER IS NOT TO BE EATEN. THE NEXT MESSAGE: TABLE, AND THE WORD IS THE NAME OF THE MAN WHO HURT HIS KNEE."),
    ([("table", "VESTBY")], "DEPOT DELTA AT MILE 131, 160 POUNDS. FROM HERE THE MOUNTAIN IS SEEN, AND WE CALL IT MARGRETE. FIVE DOGS WERE EATEN. THE NEXT MESSAGE: FENCE, AND THE NUMBER OF HEAPS IS THE NUMBER OF DOGS THAT WERE LOST IN "
     "THE CREVASSE PLUS ONE."),
    ([("fence", 3)], "WE ARE HELD BY A STORM IN CAMP 17. BRUUN AND HALLE HAVE QUARRELLED ABOUT TEA. THE NEXT MESSAGE: FIRST STEP BY THREE, THEN WHOLE BACK."),
    ([("step", 3), ("whole-back",)], "WHEN THE STORM WAS OVER WE SAW THAT DEPOT CHARLIE HAD BEEN MISREAD BY US: IT HOLDS 115 POUNDS, NOT WHAT WE WROTE. THE NEXT MESSAGE: KEY, AND THE WORD IS THE NAME OF THE MOUNTAIN."),
    ([("key", "MARGRETE")], "DEPOT ECHO AT MILE 170, 140 POUNDS. MOE AND STRAND GO BACK WITH 12 DOGS, SINCE THE SLEDGE IS BROKEN. THE NEXT MESSAGE: FIRST SHIFT BY THE NUMBER OF DOGS THAT WE HAVE NOW, THEN FENCE 4."),
    ([("shift", 20), ("fence", 4)], "WE HAVE COME TO THE PASS, WHICH WE CALL AFTER THE COOK. NINE DOGS FELL DURING THE CLIMB. THE NEXT MESSAGE: TABLE, AND THE WORD IS THE NAME OF THE PASS; THEN, AS A SECOND METHOD, RUNNING FROM 4."),
    ([("table", "BRUUN"), ("running", 4)], "DEPOT FOXTROT AT MILE 214, 90 POUNDS. THE LEADER GAVE HIS MITTENS TO AN UNLUCKY MAN, WHO IS CALLED OFTEDAL. THE NEXT MESSAGE: STEP, BY THE NUMBER OF MEN WHO ARE WITH US NOW."),
    ([("step", 8)], "OFTEDAL TURNS OUT TO HAVE CARRIED 25 POUNDS OUT OF DEPOT DELTA IN HIS SACK, WHICH HE HAS SINCE PUT INTO DEPOT FOXTROT. THE NEXT MESSAGE: FIRST KEY WITH HIS NAME, THEN MIRROR, THEN WORDS BACK."),
    ([("key", "OFTEDAL"), ("mirror",), ("words-back",)], "WE STOOD AT THE POLE OF COLD ON 2 MAY WITH 8 MEN AND EVERY DOG THAT WAS LEFT. ON THE WAY BACK WE ATE 20 POUNDS OF DEPOT FOXTROT AND FOUND DEPOT BRAVO UNTOUCHED. THE NEXT "
     "MESSAGE: FIRST FENCE, WITH AS MANY HEAPS AS DOGS WERE LEFT AFTER THE CLIMB, THEN SHIFT BY THE DAY OF FEBRUARY ON WHICH THE SUN CAME BACK."),
    ([("fence", 11), ("shift", 11)], "ALL ARE SAFE. VESTBY'S KNEE IS WELL. THE LAST MESSAGE: FIRST TABLE WITH THE NAME OF THE LEADER, THEN KEY WITH THE NAME OF OUR STATION, THEN WHOLE BACK.".replace("'", "")),
    ([("table", "HALLE"), ("key", "ICEFOOT"), ("whole-back",)], "STATION ICEFOOT ASKS STATION HAVN TO CHECK OUR BOOKS. THE NUMBER: ADD UP, OVER ALL DEPOTS, THE POUNDS THAT LIE IN EACH NOW TIMES ITS MILE. "
     "THE WORD: THE LAST LETTERS OF THE NAMES OF THE FOUR MEN WHO WENT BACK BEFORE THE POLE, IN THE ORDER IN WHICH THE MESSAGES NAME THEM, FOLLOWED BY THE FIRST LETTERS OF THE SIX DEPOTS IN THE ORDER OF THEIR POUNDS NOW, THE MOST FIRST."),
]
depots = {"ALFA": (30, 210 - 35), "BRAVO": (62, 180), "CHARLIE": (95, 115), "DELTA": (131, 160 - 25), "ECHO": (170, 140), "FOXTROT": (214, 90 + 25 - 20)}
number = sum(mile * pounds for mile, pounds in depots.values())
word = "".join(n[-1] for n in ("VESTBY", "LUND", "MOE", "STRAND")) + "".join(d[0] for d in sorted(depots, key=lambda d: -depots[d][1]))
enciphered = []
for methods, text in MESSAGES:
    assert set(text) <= set(ALPHABET + "0123456789 .,:;"), set(text)
    text = text.replace(";", ",")
    for method in methods:
        text = apply(method, text)
    enciphered.append(text)
if "-v" in sys.argv:
    print(number, word, *enciphered, sep="\n")
write(__file__, {"data/messages.json": "[\n" + ",\n".join(f'"{m}"' for m in enciphered) + "\n]\n", "data/codebook.txt": fill(CODEBOOK) + "\n", "answer.json": [number, word]})
