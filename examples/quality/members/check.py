#!/usr/bin/env python3
"""Asks the tool as a program would, page by page, and works out the fees in hundredths. Compares with answer.json."""

import contextlib
import io
import json
import os
import runpy
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import check, here  # noqa: E402


def tool(kind, **args):
    """What the tool answers, run in this process since there are more than a hundred calls."""
    out = io.StringIO()
    stdin, argv, folder = sys.stdin, sys.argv, os.getcwd()
    sys.stdin, sys.argv = io.StringIO(json.dumps(args)), ["tool.py", kind]
    os.chdir(here(__file__))
    try:
        with contextlib.redirect_stdout(out):
            runpy.run_path("tool.py", run_name="__main__")
    finally:
        sys.stdin, sys.argv = stdin, argv
        os.chdir(folder)
    return json.loads(out.getvalue())


seen = {}
for name in ("north", "south", "east", "west", "coast"):
    cursor = None
    while True:
        page = tool("list", district=name, cursor=cursor)
        for row in page["members"]:
            key = f"{row['district']}-{row['number']:04d}"
            remainder = (7 * row["district"] + row["number"]) % 11
            m = tool("member", id=f"{key}-{'ABCDEFGHKLM'[remainder]}")
            if "moved" not in m:
                seen[key] = {**m, "district": name}
        cursor = page["cursor"]
        if cursor is None:
            break
homes = {}
for key in sorted(seen):
    m = seen[key]
    age = 2026 - m["born"]
    hundredths = 15000 if age <= 17 else 25000 if age >= 67 else 40000
    year, month = map(int, m["joined"].split("-"))
    if (year, month) >= (2025, 7):
        hundredths //= 2
    m["fee"] = 0 if "honour" in m["offices"] else hundredths
    if m["household"] and m["fee"]:
        homes.setdefault(m["household"], []).append(m)
for home, people in homes.items():
    if tool("household", id=home)["kind"] == "family":
        payer = max(people, key=lambda m: m["fee"])
        for m in people:
            if m is not payer:
                m["fee"] = m["fee"] * 60 // 100
totals = {}
for m in seen.values():
    fee = m["fee"] // 2 if "teacher" in m["offices"] else m["fee"]
    fee = max(fee - 10000, 0) if "board" in m["offices"] else fee
    totals[m["district"]] = totals.get(m["district"], 0) + fee
assert all(t % 100 == 0 for t in totals.values())
check(__file__, {d: totals[d] // 100 for d in ("north", "south", "east", "west", "coast")})
