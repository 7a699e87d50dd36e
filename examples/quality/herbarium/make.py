#!/usr/bin/env python3
"""Makes a herbarium as it was, types it as people type, and writes what comes out when it is put right.

Control numbers and the answer are taken from the herbarium as it was; check.py finds them from the typed sheets.
python3 make.py writes the data, python3 make.py --verify compares it.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import Numbers, fill, write  # noqa: E402

numbers = Numbers(1753)
DISTRICTS = {
    "north": ["Tverra", "Gamvik", "Skardet", "Oyra", "Langness"],
    "south": ["Brekka", "Haugen", "Lund", "Myrdal"],
    "islands": ["Sandoy", "Vesteroy", "Kalvholm"],
}
PLANTS = {
    "Draba muralis": ["Draba nemoralis"], "Saxifraga cernua": ["Saxifraga bulbifera", "Saxifraga vivipara"], "Rumex alpestris": [], "Carex atrata": ["Carex nigra"],
    "Salix herbacea": ["Salix retusa"], "Gentiana nivalis": [], "Silene acaulis": ["Cucubalus acaulis", "Silene exscapa"], "Luzula spicata": ["Juncus spicatus"],
    "Primula scandica": [], "Viola biflora": ["Viola lutea"], "Dryas octopetala": [], "Oxyria digyna": ["Rumex digynus"],
    "Cerastium alpinum": ["Cerastium lanatum"], "Arabis alpina": [], "Veronica fruticans": ["Veronica saxatilis"], "Erigeron uniflorus": [],
}
COLLECTORS = {
    "Karl Brandt": ["K. Brandt", "Brandt, K.", "Brandt", "K BRANDT", "Karl Brandt"],
    "Margarete Brandt": ["M. Brandt", "Brandt, M.", "Margarete Brandt", "M BRANDT", "m. brandt"],
    "Otto Falk": ["O. Falk", "Falk, O.", "Falk", "Otto Falk"],
    "Ida Holm": ["I. Holm", "Holm, I.", "HOLM", "Ida Holm"],
    "Nils Aasen": ["N. Aasen", "Aasen, N.", "aasen", "Nils Aasen"],
}
MONTHS = "January February March April May June July August September October November December".split()


def typed_date(date):
    year, month, day = date
    return [f"{year}-{month:02}-{day:02}", f"{day}.{month}.{year}", f"{MONTHS[month - 1]} {day}, {year}", f"{day}.{month}.{year % 100:02}"][numbers.below(4)]


def typed_altitude():
    """A text, and the metres that it means by the instructions (None if it means none)."""
    kind = numbers.below(10)
    if kind < 5:
        m = numbers.between(2, 95) * 10
        return (f"{m} m" if kind else f"c. {m} m"), m
    if kind < 8:
        ft = numbers.between(20, 310) * 10
        return f"{ft} ft", ft * 3 // 10
    if kind < 9:
        low = numbers.between(5, 80) * 10
        high = low + numbers.between(1, 6) * 25
        return f"{low}-{high} m", (low + high) // 2
    return "", None


def typed_plant(name):
    return [name, name, name, name.upper(), name.lower(), "  ".join(name.split())][numbers.below(6)]


herbarium = []
for i in range(250):
    collector = numbers.pick(list(COLLECTORS))
    plant = numbers.pick(list(PLANTS))
    district = numbers.pick(list(DISTRICTS))
    year = numbers.between(1926, 1949)
    late = collector != "Margarete Brandt" and numbers.below(14) == 0
    find = {
        "collector": collector, "plant": plant, "name": numbers.pick([plant] + PLANTS[plant]), "district": district, "place": numbers.pick(DISTRICTS[district]),
        "date": (numbers.between(1951, 1962) if late else year, numbers.between(4, 9), numbers.between(1, 28)), "dated": numbers.below(25) != 0,
    }
    if collector == "Margarete Brandt" and numbers.below(3) == 0:
        find["date"] = (numbers.between(1931, 1939), *find["date"][1:])
    herbarium.append(find)

sheets = []
for find in herbarium:
    copies = 1 + (numbers.below(4) == 0) + (numbers.below(12) == 0)
    for _ in range(copies):
        year, month, day = find["date"]
        mistyped = find["collector"] == "Margarete Brandt" and 1931 <= year <= 1939 and numbers.below(2) == 0
        altitude, metres = typed_altitude()
        sheets.append({
            "find": find, "mistyped": mistyped, "metres": metres, "stems": numbers.between(1, 9),
            "typed": {"collected": typed_date((year + 20 if mistyped else year, month, day)) if find["dated"] else numbers.pick(["", "?", "undated"]),
                      "place": find["place"], "plant": typed_plant(find["name"]), "collector": numbers.pick(COLLECTORS[find["collector"]]), "altitude": altitude},
        })
for i, sheet in enumerate(numbers.shuffled(sheets), 1):
    sheet["number"] = i
sheets.sort(key=lambda s: s["number"])
TRIALS = 14
rows = [{"sheet": f"H-{s['number']:04}", **s["typed"], "stems": s["stems"]} for s in sheets]
for i in range(TRIALS):
    rows.append({**numbers.pick(rows[:300]), "sheet": f"T-{numbers.between(1, 400):04}", "stems": numbers.between(1, 9)})
rows = numbers.shuffled(rows)

# What the stages leave, from the herbarium as it was.
dated = [s for s in sheets if s["find"]["dated"]]
year_typed = lambda s: s["find"]["date"][0] + 20 * s["mistyped"]  # noqa: E731
early = [s for s in dated if year_typed(s) <= 1950]
aside = len(sheets) - len(early)


def kept(some):
    """One sheet a find, that of the lowest number."""
    out = {}
    for s in some:
        out.setdefault(id(s["find"]), s)
    return list(out.values())


first = kept(early)
back = [s for s in dated if year_typed(s) <= 1950 or s["mistyped"]]
second = kept(back)
stems = {id(s["find"]): 0 for s in second}
for s in back:
    stems[id(s["find"])] = max(stems[id(s["find"])], s["stems"])
firsts = {}
for s in sorted(second, key=lambda s: (s["find"]["date"], s["number"])):
    firsts.setdefault(s["find"]["plant"], s)
metres = {s["number"]: s["metres"] + 40 if s["find"]["collector"] == "Otto Falk" and s["find"]["date"][0] >= 1936 else s["metres"]
          for s in second if s["metres"] is not None}
answer = {}
for district in DISTRICTS:
    high = [s for s in second if s["find"]["district"] == district and metres.get(s["number"], 0) >= 400]
    answer[district] = [sum(f["find"]["district"] == district for f in firsts.values()), sum(stems[id(s["find"])] for s in high)]

synonyms = " ".join(
    f"{new} has also been called {' and '.join(old)}." for new, old in PLANTS.items() if old)
places = " ".join(f"{p} lies in the {'district of the islands' if d == 'islands' else d}." for p, d in
                  numbers.shuffled([(p, d) for d in DISTRICTS for p in DISTRICTS[d]]))
STAGES = [
    (len(rows), "the number of rows of ctx/sheets", f"""Sheets whose number begins with T were made to try the new paper. Leave them out of everything. All others begin with H.

        The control number of stage 1 is the number of sheets that remain."""),
    (len(sheets), "the number of sheets that remain without the trial sheets", """The dates of collecting were typed in these forms: 1931-05-14, 14.5.1931, 14.5.31 and May 14, 1931. In the dotted forms the
        day stands first; two digits of a year stand for 19... Sheets on which an empty text, a question mark or the word undated stands have no date.

        The control number of stage 2 is the sum of the years of all sheets that have a date."""),
    (sum(year_typed(s) for s in dated), "the sum of the years of all dated sheets that are no trial sheets", """Set aside the sheets that have no date and those that are dated 1951 or later. They are not thrown away: keep them at hand.

        The control number of stage 3 is the number of sheets that are set aside."""),
    (aside, "the number of sheets that are set aside", """The sheets were collected by five persons: Karl Brandt, Margarete Brandt, Otto Falk, Ida Holm and Nils Aasen. Their names were typed with the
        first name, with its initial, or without it, in any order and in large or small letters. Brandt without a first name is always Karl. Give each sheet the full name of
        its collector.

        The control number of stage 4 is the number of sheets of Karl Brandt times 1000 plus the number of sheets of Ida Holm, of those that are not set aside."""),
    (sum(s["find"]["collector"] == "Karl Brandt" for s in early) * 1000 + sum(s["find"]["collector"] == "Ida Holm" for s in early),
     "1000 times the sheets of Karl Brandt plus the sheets of Ida Holm, of those not set aside", """Sheets are duplicates if they have the same collector, the same date, the same place and the same plant. A plant is the same if its name is,
        whatever its letters (large or small) and blanks; other names of the plant are not looked at. Of duplicates only the sheet of the lowest number is kept; the others go, but remember what was
        on them. The number of a sheet is what stands behind the hyphen.

        The control number of stage 5 is the sum of the numbers of the sheets that are kept."""),
    (sum(s["number"] for s in first), "the sum of the numbers of the sheets that are kept, duplicates and sheets set aside left out", """Altitudes were typed in metres (320 m), in feet (1050 ft) or as two metres (200-300 m). A foot counts as 0.3 metres; of two metres the middle is
        taken; fractions of a metre are dropped in both cases. A c. in front means nothing. An empty altitude stays unknown. Put all known altitudes into whole metres.

        The control number of stage 6 is the sum of the known altitudes in metres, of the sheets that are kept."""),
    (sum(s["metres"] for s in first if s["metres"] is not None), "the sum of the known altitudes of the kept sheets in whole metres", f"""Give each sheet the name of its plant that is valid today. {synonyms} All other names are valid. Sheets that
        become alike by this are no duplicates.

        The control number of stage 7 is the number of kept sheets of Silene acaulis times 1000 plus the number of kept sheets of Saxifraga cernua, under any of their names."""),
    (sum(s["find"]["plant"] == "Silene acaulis" for s in first) * 1000 + sum(s["find"]["plant"] == "Saxifraga cernua" for s in first),
     "1000 times the kept sheets of Silene acaulis plus those of Saxifraga cernua, by their valid names", f"""Each place belongs to a district: north, south or islands. {places}

        The control number of stage 8 is the number of kept sheets in the north times 1000 plus the number of kept sheets of the islands."""),
    (sum(s["find"]["district"] == "north" for s in first) * 1000 + sum(s["find"]["district"] == "islands" for s in first),
     "1000 times the kept sheets in the north plus those of the islands", """A letter has been found. The typist read the hand of Margarete Brandt wrongly: on sheets of hers that were set aside in stage 3 for their year, the
        year is twenty years too late (1957 is 1937), in whatever form it was typed. Take these sheets back with the right year. Her undated sheets stay aside, and so do the late sheets of all others. All that has been done since
        then holds for the sheets that come back: collectors, duplicates, altitudes, plants, districts. They may be duplicates of sheets that were kept, and may have a lower number; then
        they are kept instead.

        The control number of stage 9 is the sum of the numbers of the sheets that are kept now."""),
    (sum(s["number"] for s in second), "the sum of the numbers of the sheets kept now, with the sheets of Margarete Brandt that came back and without duplicates", """Of duplicates the kept sheet gets the largest number of stems that stands on any of them, sheets that have come back
        included, trial sheets and sheets that stay aside not. The altitude stays that of the kept sheet.

        The control number of stage 10 is the sum of the stems of the kept sheets."""),
    (sum(stems.values()), "the sum of the stems of the kept sheets, each with the largest number of its duplicates", """The first find of a plant (by its valid name) is the kept sheet with the earliest date; of several on that date the one with the lowest number.

        The control number of stage 11 is the sum of the sheet numbers of the first finds of all plants."""),
    (sum(s["number"] for s in firsts.values()), "the sum of the sheet numbers of the first finds of all plants", """The barometer of Otto Falk was changed in the winter before 1936, and from 1936 on showed 40 metres too little. Add 40 metres to the known altitudes of his sheets of 1936 and
        later, after all that stage 6 says.

        The control number of stage 12 is the sum of the known altitudes of the kept sheets."""),
    (sum(metres.values()), "the sum of the known altitudes of the kept sheets, with the mended altitudes of Otto Falk", """This is the last stage. For each district two numbers are wanted: how many plants (by valid names) have their first find in it; and the sum of the stems of its kept sheets whose altitude is
        known and 400 metres or more. Return {:north [PLANTS STEMS] :south [PLANTS STEMS] :islands [PLANTS STEMS]}."""),
]
csv = "sheet,collected,place,plant,collector,altitude,stems\n"
for r in rows:
    cells = [f'"{v}"' if "," in str(v) else str(v) for v in r.values()]
    csv += ",".join(cells) + "\n"
write(__file__, {
    "data/sheets.csv": csv,
    "data/stages.json": [{"needs": n, "is": i, "text": f"Stage {k}.\n\n" + fill(t)} for k, (n, i, t) in enumerate(STAGES, 1)],
    "answer.json": answer,
})
