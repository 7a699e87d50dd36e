#!/usr/bin/env python3
"""Deeds of the lots and letters of the surveyors."""

import json
import sys

(asked,) = json.load(sys.stdin).values()
kind = sys.argv[1]
with open(f"data/{kind}s.json", encoding="ascii") as f:
    found = json.load(f)
if str(asked) not in found:
    sys.exit(f"there is no {kind} {asked}; there are {', '.join(found)}")
print(json.dumps(found[str(asked)]))
