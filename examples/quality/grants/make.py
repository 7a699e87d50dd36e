#!/usr/bin/env python3
"""Makes sixteen applications with the rules of a fund, and decides them.

python3 make.py writes the data, python3 make.py --verify compares it.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import fill, write  # noqa: E402

HANDBOOK = {
    "budgets": """The year's money: music 20,000 crowns, sport 18,000 crowns, school 13,000 crowns. A grant is taken from the budget of the area of its case when the case is decided. If less is left than the
        rules give, what is left is granted.""",
    "costs": """An application names its costs. Food and drink do not count, and neither do fees for people who speak or read. All others count. What others give towards it (tickets, sponsors, authorities) is taken off the
        costs that count; savings of the applicant's own are not, and work that is done for nothing is neither a cost nor a gift.""",
    "amounts": """The grant is one half of what remains of the costs. If more than half of those who take part are under 16, it is two thirds. No grant is above 6,000 crowns. Fractions of a crown are dropped, once, at the
        end, when a case is worked out.""",
    "repeats": """Whoever has been granted something in an earlier case of this year gets a quarter less than the rules would otherwise give. The quarter is taken off after the highest amount has been looked at, and before the
        budget is. The applicant counts, not the project.""",
    "rulings": """The board makes rulings, which are told with the case in which they are made. A ruling holds from its own case on, and for earlier cases only where it says so. If an earlier grant is changed by a ruling, the
        difference is taken from its budget, or goes back to it, at once, before the case itself is decided. Everything else that was decided stays.""",
}
CASES = [
    dict(who="The choir of Vik", area="music", costs=[("the hall", 2400), ("printed music", 1850), ("the way of the conductor", 900), ("a buffet", 1200)], gifts=[("tickets", 1150)], people=(34, 0),
         words="A concert in the old church, with the bells. The choir was founded in 1934."),
    dict(who="The football club of Sund", area="sport", costs=[("goals", 5200), ("nets", 640), ("a course for the coach", 1360)], gifts=[("the bank", 1200)], people=(60, 41), words="The old goals are of wood and 45 years old."),
    dict(who="The Mill School", area="school", costs=[("costumes", 1900), ("lamps on hire", 2600), ("fees of two teachers of drama who speak on three evenings", 1800)], gifts=[], people=(48, 48),
         words="A week of theatre. The parents sew for nothing, some 90 hours."),
    dict(who="The brass band of Horn", area="music", costs=[("instruments", 14600), ("repairs", 2200)], gifts=[], people=(22, 9), words="The band has 1,000 crowns of savings, which it puts in."),
    dict(who="The ski club of Fjell", area="sport", costs=[("a machine for tracks", 13400), ("fuel for it", 1100)], gifts=[("the county", 2500)], people=(80, 44), words="The old machine went through the ice.",
         ruling="Ruling 1: no grant is above 5,000 crowns."),
    dict(who="The choir of Vik", area="music", costs=[("a bus", 6300), ("beds", 3480), ("meals", 1500)], gifts=[], people=(34, 0), words="A tour to Riga in 6 days."),
    dict(who="The village school of Nes", area="school", costs=[("books", 3333), ("a shelf", 1280), ("the fee of an author who reads", 1500), ("biscuits", 200)], gifts=[], people=(25, 25), words="The library was flooded in May."),
    dict(who="The school of Sund", area="school", costs=[("soil", 900), ("trees", 2250), ("the fee of a teacher of biology who speaks on trees", 600)], gifts=[("the gardeners", 450)], people=(31, 31), words="A garden of 400 square metres.",
         ruling="Ruling 2: fees for people who speak or read count if they are teachers. This holds for case 3 too, which is worked out again."),
    dict(who="The young theatre of Horn", area="music", costs=[("a stage", 3900), ("paint", 410), ("make-up", 290)], gifts=[("tickets", 1000)], people=(18, 9), words="A musical play with a dragon, 4 evenings."),
    dict(who="The football club of Sund", area="sport", costs=[("goals of another maker", 3900), ("nets", 640), ("a course for the coach", 1360)], gifts=[("the bank", 1200)], people=(60, 41), words="The first application was a mistake, the club writes.",
         ruling="Ruling 3: the club has withdrawn case 2. Its grant goes back whole, and it is not a grant in the sense of the topic repeats any more."),
    dict(who="The ski club of Fjell", area="sport", costs=[("a room for wax", 2960), ("tools", 1240)], gifts=[], people=(80, 44), words="The members are those of the earlier application."),
    dict(who="The choir of Nes", area="music", costs=None, gifts=None, people=(20, 0), words="The same concert as in case 1, with the same costs and the same tickets; only the hall costs 400 crowns less in Nes."),
    dict(who="The choir of Vik", area="music", costs=[("robes", 2700), ("badges", 140)], gifts=[], people=(34, 0), words="Blue ones.",
         ruling="Ruling 4: the quarter less of the topic repeats does not hold for choirs. This holds for case 6 too, which is worked out again."),
    dict(who="The rowing club of Sund", area="sport", costs=[("a boat", 22000), ("oars", 1300)], gifts=[("the shipyard", 6300)], people=(26, 12), words="The boat is 17 metres long.",
         ruling="Ruling 5: what is left of the budgets of sport and school is put together and serves both areas."),
    dict(who="The Mill School", area="school", costs=[("a bus", 7000), ("a museum", 2600)], gifts=[("the parents", 900)], people=(52, 52), words="A journey of all classes."),
    dict(who="The football club of Nes", area="sport", costs=[("lamps for the field", 21000)], gifts=[], people=(40, 30), words="The days are short in Nes."),
]
CLOSING = """The year is closed. One thing is still to be done: the young theatre of Horn (case 9) has sold more tickets than it thought, for 1,400 crowns and not for 1,000. Its case is worked out again with this, and the difference goes back to its
    budget. Then make up the books as they stand."""


def does_not_count(item, teachers):
    return item in ("a buffet", "meals", "biscuits") or "fee" in item and not ("teacher" in item and teachers)


def work_out(case, most, teachers=False, quarter=False):
    """What the rules give, before the budget is looked at, in whole crowns."""
    rest = sum(n for item, n in case["costs"] if not does_not_count(item, teachers)) - sum(n for _, n in case["gifts"])
    n, young = case["people"]
    # In twelfths of a crown, so that a third and a quarter are whole.
    grant = min(rest * (8 if 2 * young > n else 6), most * 12)
    return (grant * 3 // 4 if quarter else grant) // 12


def decide():
    budgets = {"music": 20000, "sport": 18000, "school": 13000}
    grants, first = [], []
    most, teachers, choirs, joined = 6000, False, True, False
    CASES[11]["costs"] = [("the hall", 2000)] + CASES[0]["costs"][1:]
    CASES[11]["gifts"] = CASES[0]["gifts"]

    def change(i, new):
        budgets[CASES[i]["area"]] += grants[i] - new
        grants[i] = new

    for i, case in enumerate(CASES):
        number = i + 1
        if number == 5:
            most = 5000
        if number == 8:
            teachers = True
            change(2, work_out(CASES[2], 6000, True))
        if number == 10:
            change(1, 0)
        if number == 13:
            choirs = False
            change(5, work_out(CASES[5], 5000, True))
        if number == 14:
            budgets["sport"] = budgets["school"] = budgets["sport"] + budgets["school"]
            joined = True
        before = any(CASES[k]["who"] == case["who"] and grants[k] for k in range(i))
        quarter = before and (choirs or "choir" not in case["who"])
        grant = min(work_out(case, most, teachers, quarter), budgets[case["area"]])
        grants.append(grant)
        first.append(grant)
        for area in ("sport", "school") if joined and case["area"] != "music" else (case["area"],):
            budgets[area] -= grant
        if "-v" in sys.argv:
            print(number, grant, budgets)
    CASES[8]["gifts"] = [("tickets", 1400)]
    change(8, work_out(CASES[8], 5000, True))
    return first, {"total": sum(grants), "music": budgets["music"], "vik": sum(g for g, c in zip(grants, CASES) if c["who"] == "The choir of Vik")}


def text(number, case):
    costs = f"Costs: {', '.join(f'{item} {n:,}' for item, n in case['costs'])}." if case["costs"] else ""
    gifts = f"Others give: {', '.join(f'{item} {n:,}' for item, n in case['gifts'])}." if case["gifts"] else "Nobody else gives anything." if case["costs"] else ""
    n, young = case["people"]
    people = f"{n} take part, {young if young else 'none'} of them under 16."
    return fill(f"Case {number}. {case.get('ruling', '')} {case['who']} asks for a grant from the budget of {case['area']}. {case['words']} {costs} {gifts} {people}")


texts = [text(i, c) for i, c in enumerate(CASES, 1)] + [fill(CLOSING)]
first, result = decide()
write(__file__, {
    "data/handbook.json": {k: fill(t) for k, t in HANDBOOK.items()},
    "data/cases.json": [{"needs": n, "text": t} for n, t in zip([0] + first, texts)],
    "answer.json": result,
})
