#!/usr/bin/env python3
"""Sheets of parts, revisions for serial numbers, and changes."""

import json
import sys

args = json.load(sys.stdin)
with open("data/drawings.json", encoding="ascii") as f:
    drawings = json.load(f)
if sys.argv[1] == "change":
    found = drawings["changes"].get(str(args["number"]))
    print(json.dumps(found) if found else sys.exit(f"there is no change {args['number']}"))
else:
    part = drawings["parts"].get(str(args["part"]))
    if part is None:
        sys.exit(f"there is no part {args['part']}; parts have four digits, as the sheets name them")
    if sys.argv[1] == "revision":
        if not 1 <= args["serial"] <= 300:
            sys.exit("serial numbers go from 1 to 300")
        print(json.dumps([r["revision"] for r in part if r["from"] <= args["serial"]][-1]))
    else:
        sheets = {r["revision"]: r["text"] for r in part}
        if args["revision"] not in sheets:
            sys.exit(f"part {args['part']} has no revision {args['revision']}; it has {', '.join(sheets)}")
        print(json.dumps(sheets[args["revision"]]))
