#!/usr/bin/env python3
"""Applications, each against the grant of the one before, and the handbook."""

import json
import sys

args = json.load(sys.stdin)
if sys.argv[1] == "handbook":
    with open("data/handbook.json", encoding="ascii") as f:
        handbook = json.load(f)
    if args["topic"] not in handbook:
        sys.exit(f"no topic {args['topic']}; there are {', '.join(handbook)}")
    print(json.dumps(handbook[args["topic"]]))
else:
    with open("data/cases.json", encoding="ascii") as f:
        cases = json.load(f)
    number, granted = args["number"], args["granted"]
    if not 1 <= number <= len(cases):
        sys.exit(f"cases go from 1 to {len(cases)}")
    if granted != cases[number - 1]["needs"]:
        sys.exit(f"the grant of case {number - 1} was not {granted} crowns; what later rulings change in it is not asked here" if number > 1 else "case 1 is opened with 0")
    print(json.dumps(cases[number - 1]["text"]))
