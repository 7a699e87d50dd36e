#!/usr/bin/env python3
"""The manual, the transmitters and the plates of the plant."""

import json
import re
import sys

args = json.load(sys.stdin)
kind = sys.argv[1]
with open(f"data/{kind}s.json", encoding="ascii") as f:
    data = json.load(f)
(name,) = args.values()
if kind == "page" and not re.fullmatch(r"R-\d{3}", name):
    sys.exit(f"{name} is no code of a page: a code is R, a hyphen and three digits, as R-100")
if name not in data:
    sys.exit({
        "page": f"the manual has no page {name}; codes stand on the pages that lead there",
        "measure": f"there is no transmitter {name}; names are PT-, TT- or LT- and two digits, as the manual writes them",
        "plate": f"nothing here has a plate with the name {name}; write names as the manual does, as PT-12 or C-2",
    }[kind])
print(json.dumps(data[name]))
