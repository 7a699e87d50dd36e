#!/usr/bin/env python3
"""Reports of the weeks, each against the closing total of the week before, and the handbook."""

import json
import sys

args = json.load(sys.stdin)
if sys.argv[1] == "handbook":
    with open("data/handbook.json", encoding="ascii") as f:
        sections = json.load(f)
    if args["section"] not in sections:
        sys.exit(f"no section {args['section']}; there are {', '.join(sections)}")
    print(json.dumps(sections[args["section"]]))
else:
    with open("data/weeks.json", encoding="ascii") as f:
        weeks = json.load(f)
    number, closing = args["number"], args["closing"]
    if not 1 <= number <= len(weeks):
        sys.exit(f"weeks go from 1 to {len(weeks)}")
    if closing != weeks[number - 1]["needs"]:
        before = f"week {number - 1} did not close at {closing}" if number > 1 else f"the opening stock does not add up to {closing}"
        sys.exit(f"{before}: the total is of flour, oil, fuel and timber after all that the report of that week and the handbook say")
    print(json.dumps(weeks[number - 1]["report"]))
