#!/usr/bin/env python3
"""Books of the parish, an entry at a time, and the law."""

import json
import sys

args = json.load(sys.stdin)
if sys.argv[1] == "law":
    with open("data/law.json", encoding="ascii") as f:
        law = json.load(f)
    if not 1 <= args["section"] <= len(law):
        sys.exit(f"sections go from 1 to {len(law)}")
    print(json.dumps(law[args["section"] - 1]))
else:
    with open("data/books.json", encoding="ascii") as f:
        books = json.load(f)
    book, number, name = args["book"], args["number"], args["name"]
    if book not in books:
        sys.exit(f"there is no book {book}; there are {', '.join(books)}")
    found = books[book].get(str(number))
    if found is None:
        sys.exit(f"the book of {book} has nothing that concerns this family under {number}")
    if name != found["name"]:
        sys.exit(f"the entry {number} of {book} is not about {name}; give the given name alone, as the text that leads there writes it (of a marriage: the husband's)")
    print(json.dumps(found["text"]))
