#!/usr/bin/env python3
"""Makes the statements of ten accounts through which a sum goes, and where its parts come to rest.

python3 make.py writes the data, python3 make.py --verify compares it.
"""

import datetime
import os
import sys
from fractions import Fraction

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import Numbers, fill, write  # noqa: E402

HOLDERS = {
    "Harbour Fund": ("Nordbank", "N-4410", "crown"), "Lindal Shipping": ("Vestbank", "V-2087", "crown"), "Orion Yard": ("Sparkasse", "S-5518", "crown"),
    "Kvist Trading": ("Nordbank", "N-7301", "crown"), "Pale Moon Ltd": ("Midland", "M-3317", "pound"), "Haug Motors": ("Vestbank", "V-3302", "crown"),
    "Tinn Cranes": ("Sparkasse", "S-6120", "crown"), "Baltic Freight": ("Midland", "M-1189", "euro"), "Sable Ltd": ("Midland", "M-2040", "pound"),
    "Widow's Chest": ("Nordbank", "N-9002", "crown"), "Gull & Daughter": ("Vestbank", "V-8830", "crown"),
}
GUIDE = {
    "start": """Look up the payment in the statement of the account that sent it. The field with names holder and bank of the other side; the tool account turns them into the number of an account. The payment
        arrives there within three days, under the name of the sender and with the same reference, which opens that account too: banks show an account only to those who can name a payment in it. Then look for what was done with it. Read the topics rest, parts, fees,
        rates and late before you begin.""",
    "rest": """A payment that has arrived goes on if a later payment out of the same account names, in its text, the holder from whom it came (the beginning of the name is enough), and, where
        several came from the same holder, the day on which it came. Payments whose text names nobody are of the holder's own money and have nothing to do with it, whatever their amount. What does not
        go on within twenty days has come to rest in this account. An account may be passed more than once, and each arrival is followed for itself. What comes back to N-4410 is at rest there.""",
    "parts": """If a payment holds followed money and other money together, every part of it holds followed money in the same proportion from then on: of a payment of 100 of which 80 are
        followed, a later part of 30 holds 24, and what stays behind holds it too. The text says how a payment is made up where it is not of one piece. If two arrivals are sent on together, the followed money in both is
        added up.""",
    "fees": """A holder who says that he has kept a percentage (less one per cent, and the like) has kept the difference as a fee. A fee has come to rest with him; the proportion
        of followed money in it is that of the payment from which it was taken. See also the topic late.""",
    "rates": """Statements are in the money of their account, so what arrives from an account with other money has been exchanged already: the followed part of it is exchanged with it. Only what has come
        to rest in an account with foreign money has to be put into crowns, at the rate of the day on which it arrived in that account (fees too). There are no rates on Saturdays and Sundays; then that of the last day before holds.""",
    "late": """On 30 June the insurer of Midland paid all fees that had been kept by holders at Midland back to the Harbour Fund, in crowns at the same value. So these fees are at rest in N-4410 and not with the
        holders. This holds for fees only, and for Midland only. Statements do not show it.""",
}
# From, to, day sent, day arrived, amount sent, amount that arrives (in hundredths), text on leaving, share of followed money in it.
F45 = Fraction(4, 5)
PALE = Fraction(278460 + 403920, 783360)
HOPS = [
    ("Harbour Fund", "Lindal Shipping", (3, 3), (3, 4), 18400000, 18400000, "inv. 771", 1),
    ("Lindal Shipping", "Orion Yard", (3, 6), (3, 7), 18308000, 18308000, "from Harbour Fund on the 4th, less our half per cent", 1),
    ("Orion Yard", "Kvist Trading", (3, 10), (3, 11), 11000000, 11000000, "first part of the Lindal money", 1),
    ("Orion Yard", "Pale Moon Ltd", (3, 11), (3, 12), 7308000, 560000, "second part of the Lindal money", 1),
    ("Kvist Trading", "Haug Motors", (3, 14), (3, 17), 13750000, 13750000, "110,000.00 from Orion and 27,500.00 of our own", F45),
    ("Haug Motors", "Tinn Cranes", (3, 20), (3, 21), 2750000, 2750000, "a fifth of what Kvist sent", F45),
    ("Haug Motors", "Baltic Freight", (3, 24), (3, 25), 11000000, 1000000, "four fifths of what Kvist sent", F45),
    ("Pale Moon Ltd", "Baltic Freight", (3, 18), (3, 19), 554400, 665280, "the Orion money of the 12th, less one per cent", 1),
    ("Baltic Freight", "Kvist Trading", (3, 27), (3, 28), 665280, 7351344, "Pale Moon, all of it", 1),
    ("Baltic Freight", "Sable Ltd", (4, 2), (4, 3), 990000, 841500, "for Haug, less one per cent", F45),
    ("Kvist Trading", "Sable Ltd", (4, 3), (4, 5), 3675672, 278460, "half of what Baltic sent on the 28th", 1),
    ("Kvist Trading", "Orion Yard", (4, 4), (4, 7), 3675672, 3675672, "the other half of Baltic's of the 28th", 1),
    ("Sable Ltd", "Orion Yard", (4, 10), (4, 11), 336600, 4459950, "two fifths of the Baltic money", F45),
    ("Sable Ltd", "Pale Moon Ltd", (4, 10), (4, 11), 504900, 504900, "three fifths of the Baltic money", F45),
    ("Orion Yard", "Pale Moon Ltd", (4, 9), (4, 10), 3675672, 278460, "what Kvist sent on the 7th", 1),
    ("Orion Yard", "Widow's Chest", (4, 15), (4, 16), 4459950, 4459950, "Sable, in full", F45),
    ("Widow's Chest", "Lindal Shipping", (4, 22), (4, 23), 2229975, 2229975, "half of what Orion gave", F45),
    ("Pale Moon Ltd", "Gull & Daughter", (4, 22), (4, 23), 783360, 10183680, "Orion's of the 10th and Sable's of the 11th together", PALE),
    ("Gull & Daughter", "Tinn Cranes", (4, 29), (4, 30), 5091840, 5091840, "half of the money of Pale Moon", PALE),
    ("Lindal Shipping", "Tinn Cranes", (5, 6), (5, 7), 2229975, 2229975, "as it came from Widow's Chest", F45),
    ("Tinn Cranes", "Gull & Daughter", (5, 12), (5, 13), 2000000, 2000000, "of the Lindal money, the rest stays here", F45),
    ("Gull & Daughter", "Tinn Cranes", (5, 19), (5, 20), 2000000, 2000000, "Tinn's money back, we know of no such thing", F45),
    ("Tinn Cranes", "Harbour Fund", (5, 30), (6, 2), 2000000, 2000000, "what Gull sent back on the 20th, with apologies", F45),
]
# Rates that the exchanges above use, and that rests need.
RATES = {"euro": {(3, 25): 1100, (3, 28): 1105}, "pound": {(3, 12): 1305, (4, 4): 1320, (4, 10): 1320, (4, 11): 1325, (4, 23): 1300}}
n = Numbers(4410)


def rates():
    out = {}
    for money, middle in (("euro", 1102), ("pound", 1312)):
        out[money] = {}
        d = datetime.date(2025, 3, 1)
        while d < datetime.date(2025, 7, 1):
            if d.weekday() < 5:
                out[money][f"{d.month}-{d.day}"] = RATES[money].get((d.month, d.day), middle + n.between(-14, 14))
            d += datetime.timedelta(1)
    return out


NOISE = [("City Power", "electricity"), ("Staff", "wages"), ("Tax Office", "second instalment"), ("Polar Foods", "inv. {k}"), ("Brandt & Co", "inv. {k}"), ("City Water", "quarter"), ("Ropeworks", "order {k}"),
         ("Insurance House", "premium"), ("Staff", "travel"), ("Old Mill Rent", "rent")]


def bank_of(holder):
    return f"{holder}, {HOLDERS[holder][0]}"


rows = {a: [] for _, a, _ in HOLDERS.values()}
references = ["H01"] + [f"{'BCDFGKLMPRTVWX'[k // 90]}{k % 90 + 10}" for k in n.shuffled(range(14 * 90))[:len(HOPS) - 1]]
assert len(set(references)) == len(HOPS)
for (sender, receiver, out, arrived, amount, arrives, text, _), reference in zip(HOPS, references):
    told = n.pick(["{text}; ref {r}", "{r}: {text}", "{text} ({r})", "{text}, our sign is {r}"]).format(text=text, r=reference)
    rows[HOLDERS[sender][1]].append((*out, -amount, bank_of(receiver), told, reference))
    rows[HOLDERS[receiver][1]].append((*arrived, arrives, bank_of(sender), f"received, {reference}", reference))
for holder, (_, account, _) in HOLDERS.items():
    for month in range(2, 7):
        for _ in range(n.between(5, 9)):
            who, text = n.pick(NOISE)
            sign = -1 if n.below(3) else 1
            rows[account].append((month, n.between(1, 28), sign * n.between(300, 90000) * 50, f"{who}, {n.pick(['Nordbank', 'Vestbank', 'Sparkasse'])}", text.format(k=n.between(100, 999)), ""))
    # Business of the same holders with each other, which has nothing to do with it.
    other = n.pick([h for h in HOLDERS if h != holder])
    rows[account].append((n.between(3, 5), n.between(1, 28), -n.between(200, 4000) * 500, bank_of(other), f"inv. {n.between(100, 999)}", ""))

# What comes to rest: what arrives in an account less what goes on, hop by hop. (account, ore)
rest = {}


def comes_to_rest(account, ore):
    assert ore == int(ore), (account, ore)
    rest[account] = rest.get(account, 0) + int(ore)


comes_to_rest("V-2087", 18400000 - 18308000)
comes_to_rest("N-4410", (560000 - 554400) * 1305 // 100)
comes_to_rest("N-4410", F45 * (1000000 - 990000) * 1100 / 100)
comes_to_rest("S-6120", F45 * 2750000)
comes_to_rest("M-2040", 278460 * Fraction(1320, 100))
comes_to_rest("N-9002", F45 * (4459950 - 2229975))
comes_to_rest("V-8830", PALE * (10183680 - 5091840))
comes_to_rest("S-6120", PALE * 5091840)
comes_to_rest("S-6120", F45 * (2229975 - 2000000))
comes_to_rest("N-4410", F45 * 2000000)
result = sorted([a, ore] for a, ore in rest.items())
if "-v" in sys.argv:
    print(result, sum(o for _, o in result))
write(__file__, {
    "data/guide.json": {k: fill(t) for k, t in GUIDE.items()}, "data/rates.json": rates(),
    "data/holders.json": {f"{h} / {b}": [a, m] for h, (b, a, m) in HOLDERS.items()},
    "data/statements.json": {a: sorted(r, key=lambda x: x[:2]) for a, r in rows.items()}, "answer.json": result,
})
