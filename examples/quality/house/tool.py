#!/usr/bin/env python3
"""Rooms of the house, and the things in them that open with a word."""

import json
import re
import sys

args = json.load(sys.stdin)
with open("data/rooms.json", encoding="ascii") as f:
    rooms = json.load(f)
with open("data/things.json", encoding="ascii") as f:
    things = json.load(f)
room = args["room"]
if room not in rooms:
    sys.exit(f"there is no room {room}; names of rooms stand in brackets in the texts, as hall")
if sys.argv[1] == "look":
    print(json.dumps(rooms[room]))
else:
    thing, word = args["thing"], args["word"]
    if not re.fullmatch(r"[a-z]+|[0-9]+", word):
        sys.exit(f"{word} is no word: small letters only, or digits only")
    found = things.get(f"{room}/{thing}")
    if found is None:
        sys.exit(f"there is no thing {thing} to be opened in the room {room}; names of things stand in brackets in the texts")
    if word != found["word"]:
        sys.exit(f"{thing} does not open with {word}")
    print(json.dumps(found["text"]))
