#!/usr/bin/env python3
"""Instructions of the stages, each against the control number of the stage before."""

import json
import sys

args = json.load(sys.stdin)
with open("data/stages.json", encoding="ascii") as f:
    stages = json.load(f)
number, control = args["number"], args["control"]
if not 1 <= number <= len(stages):
    sys.exit(f"stages go from 1 to {len(stages)}")
stage = stages[number - 1]
if control != stage["needs"]:
    sys.exit(f"{control} is not the control number that opens stage {number}; it is {stage['is']}")
print(json.dumps(stage["text"]))
