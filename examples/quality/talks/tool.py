#!/usr/bin/env python3
"""What people answer, and the bookings of rooms."""

import json
import sys

args = json.load(sys.stdin)
with open("data/answers.json", encoding="ascii") as f:
    data = json.load(f)
if sys.argv[1] == "room":
    found = data["rooms"].get(args["name"])
    print(json.dumps(found) if found else sys.exit(f"there is no room {args['name']}; there are {', '.join(data['rooms'])}"))
else:
    person = data["people"].get(args["person"])
    if person is None:
        sys.exit(f"nobody here is called {args['person']}; write first names as the brief or the answers write them")
    if args["about"] not in person:
        sys.exit(f"{args['person']} does not know what to say about {args['about']}; ask about monday, tuesday, wednesday, thursday, friday, hours or other")
    print(json.dumps(person[args["about"]]))
