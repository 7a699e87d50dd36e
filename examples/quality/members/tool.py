#!/usr/bin/env python3
"""Members by districts, page by page; members, households and help one at a time."""

import json
import re
import sys

args = json.load(sys.stdin)
PAGE = 9


def data(name):
    with open(f"data/{name}.json", encoding="ascii") as f:
        return json.load(f)


def check_of(district, number):
    """The letter at the end of an id."""
    return "ABCDEFGHKLM"[(int(district) * 7 + int(number)) % 11]


if sys.argv[1] == "help":
    topics = data("help")
    if args["topic"] not in topics:
        sys.exit(f"no topic {args['topic']}; (tool/help \"topics\") names them")
    print(json.dumps(topics[args["topic"]]))
elif sys.argv[1] == "list":
    lists = data("lists")
    district, cursor = args["district"], args.get("cursor")
    if district not in lists:
        sys.exit(f"no district {district}; there are {', '.join(lists)}")
    start = 0
    if cursor is not None:
        given = [f"{district}.{k * 13}" for k in range(PAGE, len(lists[district]), PAGE)]
        if cursor not in given:
            sys.exit(f"the cursor {cursor} does not belong to {district}; a cursor is taken as the page before names it, and the first page has none")
        start = PAGE * (given.index(cursor) + 1)
    rows = lists[district][start:start + PAGE]
    more = start + PAGE < len(lists[district])
    print(json.dumps({"members": rows, "cursor": f"{district}.{(start + PAGE) * 13}" if more else None}))
elif sys.argv[1] == "member":
    found = re.fullmatch(r"(\d)-(\d{4})-([A-Z])", args["id"])
    if not found:
        sys.exit(f"{args['id']} is no id of a member: see the topic ids")
    if found[3] != check_of(found[1], found[2]):
        sys.exit(f"the letter of {args['id']} is wrong: see the topic ids")
    members = data("members")
    key = f"{found[1]}-{found[2]}"
    if key not in members:
        sys.exit(f"no member {args['id']}")
    print(json.dumps(members[key]))
else:
    households = data("households")
    if args["id"] not in households:
        sys.exit(f"no household {args['id']}; ids are H and three digits, as members name them")
    print(json.dumps(households[args["id"]]))
