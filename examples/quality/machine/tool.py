#!/usr/bin/env python3
"""Chapters of the manual."""

import json
import sys

chapter = json.load(sys.stdin)["chapter"]
with open("data/manual.json", encoding="ascii") as f:
    manual = json.load(f)
if chapter not in manual:
    sys.exit(f"the manual has no chapter {chapter}; it has {', '.join(manual)}")
print(json.dumps(manual[chapter]))
