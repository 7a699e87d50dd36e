#!/usr/bin/env python3
"""Makes the books of a parish from a family, and divides an estate among those who inherit.

python3 make.py writes the data, python3 make.py --verify compares it.
"""

import os
import sys
from fractions import Fraction

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import Numbers, fill, write  # noqa: E402

ESTATE, DAY = 48000, (1871, 3, 3)
LAW = [
    """Section 1. Who leaves neither husband, wife nor children is inherited by the children of his parents. The estate is cut into two halves. One half goes in equal parts to the children of
    his father, whoever their mother was, the other in equal parts to the children of his mother, whoever their father was. Who is a child of both takes part in both
    halves. Section 2 says what holds for children who have died.""",
    """Section 2. A child who died before the owner of the estate is represented by its own children, who take in equal parts what it would have had; and so on
    from parent to child. Who died before him and has nobody to represent him counts as if he had never been: the part is not cut off at all, and the others have the more. Section 3 says who counts as a child.""",
    """Section 3. Children are those who were born in a marriage, for both sides. A child that was born out of marriage is its mother's child; it is its father's child only if he
    acknowledged it in a paper that is kept in the parish. What a mother or a neighbour said of the father is nothing. Section 4 speaks of children who were taken on.""",
    """Section 4. Who has been adopted by a paper is from that day a child of those who adopted him, as if he had been born to them, also towards their kin. He is no longer a child of those who
    bore him, nor of their kin. Foster children and wards are not adopted. Section 5 speaks of those who do not want to inherit.""",
    """Section 5. Who has renounced by a paper counts as if he had never been, and nobody represents him, unless the paper says that he renounced for himself alone: then his
    children represent him as if he were dead. A paper about one estate holds for that estate only. Section 6 speaks of time.""",
    """Section 6. What counts is the day on which the owner of the estate died. Who was alive at the end of that day inherits himself, even if he died soon after; his part is listed under his
    own name. A child that was born later inherits nothing. Section 7 speaks of those who are abroad.""",
    """Section 7. Who has gone abroad is an heir like any other as long as no death is in the books. His part is kept for thirty years. Nobody's part is made smaller for what he had
    during the lifetime of the owner, unless a will says so.""",
]

# key: given name, father's name (as a name is formed), sex, born, father, mother, died, words of its own, papers.
PEOPLE, MARRIAGES = {}, {}


def person(key, name, born, father, mother, died=None, note="", marriage=None, paper=None):
    PEOPLE[key] = {"name": name, "born": born, "father": father, "mother": mother, "died": died, "note": note, "marriage": marriage, "paper": paper}


def marriage(key, husband, wife, year, note=""):
    MARRIAGES[key] = {"husband": husband, "wife": wife, "year": year, "note": note}


marriage("MA", "anders", "kristina", 1809)
marriage("MN", "nils", "kristina", 1803, "Nils was lost at sea in 1808.")
marriage("MB", "anders", "berte", 1828)
marriage("ML1", "lars", "eli", 1836)
marriage("ML2", "lars", "gunhild", 1850)
marriage("MM", "hans", "maren", 1840)
marriage("MAnne", "iver", "anne", 1856, "They had no child of their own; they had Jon, of whom paper 23 speaks.")
marriage("MP", "peder", "olga", 1860)
marriage("MK", "knut", "randi", 1831)
marriage("MG", "erik", "guro", 1825)
marriage("MKari", "simon", "kari", 1861)
marriage("MBerit", "arne", "berit", 1863)
marriage("MJens", "jens", "tora", 1855)
marriage("MKaren", "paul", "karen", 1865, "No children.")
marriage("MFrode", "frode", "helga", 1854, "Jon was given to the parents of paper 23 when he was a year old.")

person("anders", "Anders Larsen", (1782, 5, 2), None, None, (1849, 1, 9))
person("kristina", "Kristina Olsdatter", (1784, 8, 30), None, None, (1826, 6, 1))
person("henrik", "Henrik Andersen", (1814, 2, 11), "anders", "kristina", DAY, marriage="MA")
person("lars", "Lars Andersen", (1811, 4, 3), "anders", "kristina", (1860, 10, 20), marriage="MA")
person("maren", "Maren Andersdatter", (1817, 9, 9), "anders", "kristina", (1870, 12, 24), marriage="MA")
person("ole", "Ole Andersen", (1820, 1, 17), "anders", "kristina", (1820, 2, 2), marriage="MA", note="Baptised at home.")
person("jens", "Jens Andersen", (1829, 7, 7), "anders", "berte", marriage="MB")
person("anne", "Anne Andersdatter", (1832, 3, 28), "anders", "berte", (1865, 5, 5), marriage="MB")
person("peder", "Peder Andersen", (1835, 11, 1), "anders", "berte", marriage="MB",
       paper=(31, "Peder", "I, Peder Andersen, renounce the estate of my half-brother Henrik, when it falls, since I have had his boat. Signed before two witnesses in 1866."))
person("guro", "Guro Nilsdatter", (1804, 6, 6), "nils", "kristina", (1866, 8, 15), marriage="MN")
person("tore", "Tore Nilsen", (1806, 12, 12), "nils", "kristina", (1827, 3, 3), marriage="MN", note="Drowned at twenty, betrothed to Live Myhre; see births 139 for Marit, whom she bore.")
person("knut", "Knut Andersen", (1807, 5, 19), "anders", "sigrid", (1850, 7, 1), note="Born out of marriage to Sigrid Bakke, maid.",
       paper=(8, "Knut", "Before me, the parish priest, Anders Larsen Dahl declared in 1807 that the boy Knut of Sigrid Bakke is his son, and gave her a cow."))
person("ingrid", "Ingrid Dorthesdatter", (1838, 10, 10), None, "dorthe", None, note="Born out of marriage to Dorthe Hagen, who named Anders Dahl as the father. There is no paper.")
person("marit", "Marit Toresdatter", (1827, 4, 4), "tore", "live", None, note="Born out of marriage to Live Myhre, a month after the father was drowned.",
       paper=(14, "Marit", "In February 1827 Tore Nilsen came with Live Myhre and declared that the child she carries is his, and that they are to marry at midsummer."))
person("andersl", "Anders Larsen", (1838, 2, 2), "lars", "eli", None, marriage="ML1", note="Smith at Lunde.")
person("kari", "Kari Larsdatter", (1840, 3, 15), "lars", "eli", (1869, 11, 11), marriage="ML1")
person("nilsl", "Nils Larsen", (1843, 8, 8), "lars", "eli", (1862, 6, 24), marriage="ML1", note="Died a soldier.")
person("even", "Even Larsen", (1852, 12, 1), "lars", "gunhild", (1871, 3, 29), marriage="ML2")
person("hansv", "Hans Hansen", (1841, 1, 1), "hans", "maren", None, marriage="MM", note="Went to America in 1862; one letter came.")
person("karen", "Karen Hansdatter", (1843, 5, 5), "hans", "maren", (1868, 9, 9), marriage="MM")
person("berit", "Berit Hansdatter", (1845, 7, 20), "hans", "maren", None, marriage="MM",
       paper=(35, "Berit", "I, Berit Hansdatter, for myself alone and for nobody else, will not have anything of the estate of my uncle Henrik. Signed in 1870."))
person("siri", "Siri Hansdatter", (1850, 4, 30), "hans", "maren", None, marriage="MM")
person("jon", "Jon Frodesen", (1855, 9, 1), "iver", "anne", None, marriage="MFrode", note="Carried by a neighbour.",
       paper=(23, "Jon", "Iver Sand and his wife Anne Andersdatter adopt Jon, the child of Frode Lia (births JON), in place of children of their own. Sealed at the court in 1857."))
person("olgap", "Petra Pedersdatter", (1861, 2, 14), "peder", "olga", None, marriage="MP")
person("emil", "Emil Pedersen", (1864, 2, 14), "peder", "olga", None, marriage="MP")
person("sigridk", "Sigrid Knutsdatter", (1832, 2, 1), "knut", "randi", None, marriage="MK")
person("mons", "Mons Knutsen", (1834, 6, 18), "knut", "randi", (1871, 3, 4), marriage="MK")
person("torstein", "Torstein Eriksen", (1826, 3, 3), "erik", "guro", None, marriage="MG",
       paper=(19, "Torstein", "Torstein, son of Erik Moen and Guro Nilsdatter, is adopted by the merchant Weide, whose name he takes. Sealed at the court in 1834."))
person("ragnhild", "Ragnhild Eriksdatter", (1829, 8, 21), "erik", "guro", None, marriage="MG", note="Kept house for her foster child Alf, whom she never adopted.")
person("larsk", "Lars Simonsen", (1862, 1, 20), "simon", "kari", None, marriage="MKari")
person("mina", "Mina Simonsdatter", (1864, 5, 17), "simon", "kari", None, marriage="MKari")
person("oline", "Oline Simonsdatter", (1869, 11, 9), "simon", "kari", (1869, 11, 12), marriage="MKari")
person("gudrun", "Gudrun Arnesdatter", (1864, 10, 3), "arne", "berit", None, marriage="MBerit")
person("halvor", "Halvor Arnesen", (1867, 4, 12), "arne", "berit", None, marriage="MBerit")
person("live2", "Live Arnesdatter", (1871, 6, 30), "arne", "berit", None, marriage="MBerit")
person("toraj", "Anton Jensen", (1857, 1, 2), "jens", "tora", None, marriage="MJens")
OTHERS = {"nils": "Nils Aas", "berte": "Berte Lie", "eli": "Eli Rud", "gunhild": "Gunhild By", "hans": "Hans Vik", "iver": "Iver Sand", "olga": "Olga Strand", "randi": "Randi Holt", "erik": "Erik Moen",
          "simon": "Simon Eng", "arne": "Arne Haug", "tora": "Tora Nes", "paul": "Paul Krog", "frode": "Frode Lia", "helga": "Helga Lia", "sigrid": "Sigrid Bakke", "dorthe": "Dorthe Hagen", "live": "Live Myhre"}

# Numbers of the entries: births that other texts name keep theirs, the rest are dealt out.
numbers = Numbers(402)
free = numbers.shuffled(range(200, 900))
BIRTH = {"marit": 139, **{k: free.pop() for k in PEOPLE if k not in ("marit", "anders", "kristina")}}
DEATH = {"henrik": 402, **{k: free.pop() for k, p in PEOPLE.items() if p["died"] and k != "henrik"}}
MARRIED = {k: free.pop() for k in MARRIAGES}
MONTHS = "January February March April May June July August September October November December".split()


def day(d):
    return f"{d[2]} {MONTHS[d[1] - 1]} {d[0]}"


def name(key):
    return PEOPLE[key]["name"] if key in PEOPLE else OTHERS[key]


def given(key):
    return name(key).split()[0]


def born_of(m):
    """Births that a marriage's margin names."""
    return [k for k, p in PEOPLE.items() if p["marriage"] == m]


def books():
    out = {"births": {}, "marriages": {}, "deaths": {}, "papers": {}}
    for k, p in PEOPLE.items():
        margin = []
        for m, x in MARRIAGES.items():
            if k in (x["husband"], x["wife"]):
                how = "Married" if not margin else "Married once more"
                margin.append(numbers.pick([f"{how}, see {MARRIED[m]} ({given(x['husband'])})." if x["husband"] != k else f"{how}, see {MARRIED[m]}.",
                                            f"{how} in {x['year']}, marriages {MARRIED[m]}" + (f", to {name(x['husband'])}." if x["husband"] != k else ".")]))
        if p["died"]:
            margin.append(numbers.pick([f"Death: {DEATH[k]}.", f"Died; the book of deaths has it under {DEATH[k]}.", f"+ {DEATH[k]} of the deaths."]))
        if p["paper"]:
            margin.append(numbers.pick([f"Paper {p['paper'][0]} concerns this.", f"Look at paper {p['paper'][0]}."]))
            out["papers"][str(p["paper"][0])] = {"name": p["paper"][1], "text": fill(p["paper"][2].replace("JON", str(BIRTH["jon"])))}
        if k in BIRTH:
            if p["marriage"]:
                m = MARRIAGES[p["marriage"]]
                head = numbers.pick([
                    f"{day(p['born'])}. {p['name']}, of {name(m['husband'])} and {name(m['wife'])}, baptised on the Sunday after.",
                    f"Born on {day(p['born'])} and baptised in the church: {p['name']}. Parents: {name(m['husband'])}, {name(m['wife'])}.",
                    f"{p['name']}, born {day(p['born'])}; the father is {name(m['husband'])}, the mother {name(m['wife'])}; the sexton stood by."])
            else:
                head = f"{p['name']}, born {day(p['born'])}."
            text = f"{head} {p['note']} " + ("In the margin: " + " ".join(margin) if margin else "The margin is empty.")
            out["births"][str(BIRTH[k])] = {"name": given(k), "text": fill(text)}
        if k in DEATH:
            extra = ""
            if k == "henrik":
                extra = (f"He never married and had no child. He leaves {ESTATE:,} crowns when all is paid, and no will. Son of Anders Dahl (Anders Larsen, as he was born) and Kristina Olsdatter, whose marriage "
                         f"stands under {MARRIED['MA']}; his birth under {BIRTH['henrik']}.")
            elif k == "anders":
                extra = f"Farmer. He leaves children of two marriages, and one before them: Knut, births {BIRTH['knut']}. Some say that Ingrid, births {BIRTH['ingrid']}, is his too."
            else:
                extra = numbers.pick(["Buried on the north side.", "The bell was rung for an hour.", "Of a fever.", "Of the lungs.", "In the night."])
            out["deaths"][str(DEATH[k])] = {"name": given(k), "text": fill(f"{name(k)} died on {day(p['died'])}. {extra}")}
    for m, x in MARRIAGES.items():
        husband, wife = x["husband"], x["wife"]
        children = [f"{given(c)} ({BIRTH[c]})" for c in born_of(m)]
        words = f"{x['year']}. {name(husband)} and {name(wife)} were married. {x['note']} "
        if children:
            words += numbers.pick(["Children, with the numbers of their births: ", "In the margin, births: "]) + ", ".join(children) + ". "
        if m == "MA":
            words += (f"Kristina was the widow of Nils Aas, marriages {MARRIED['MN']}. She died first ({DEATH['kristina']} of the deaths); Anders married again, see {MARRIED['MB']}, and died after many "
                      f"years, see {DEATH['anders']} there.")
        out["marriages"][str(MARRIED[m])] = {"name": given(husband), "text": fill(words)}
    return {b: dict(sorted(e.items(), key=lambda i: int(i[0]))) for b, e in out.items()}


def divide():
    """The shares, by the family as it was."""
    gone = {"peder"}

    def children(k):
        own = [c for c, p in PEOPLE.items() if k in (p["father"], p["mother"]) and c != "henrik"]
        if k == "guro":
            own.remove("torstein")
        return [c for c in own if PEOPLE[c]["born"] <= DAY]

    def alive(k):
        return PEOPLE[k]["died"] is None or PEOPLE[k]["died"] > DAY

    def lines(k):
        """Those among whom a part of k is divided: living heirs, or dead ones with lines of their own."""
        return [c for c in children(k) if c not in gone and ((alive(c) and c != "berit") or lines(c))]

    shares = {}

    def give(k, part):
        if k in PEOPLE and alive(k) and k not in ("berit",):
            shares[k] = shares.get(k, 0) + part
            return
        for c in lines(k):
            give(c, part / len(lines(k)))

    for parent in ("anders", "kristina"):
        give(parent, Fraction(ESTATE, 2))
    assert sum(shares.values()) == ESTATE and all(s.denominator == 1 for s in shares.values()), shares
    return sorted([name(k), int(s)] for k, s in shares.items())


found = divide()
assert len({n for n, _ in found}) == len(found)
write(__file__, {"data/books.json": books(), "data/law.json": [fill(s) for s in LAW], "answer.json": found})
