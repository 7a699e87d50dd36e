#!/usr/bin/env python3
"""Makes the service manual with its readings and plates, and the work order that follows from them.

python3 make.py writes the data, python3 make.py --verify compares it.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import Numbers, fill, write  # noqa: E402

READINGS = {
    "PT-12": 2.35, "PT-31": 10.02, "TT-05": -4.5, "PT-14": 1.9, "LT-02": 31, "PT-40": 3.3, "LT-07": 24,
    "PT-22": 6.4, "TT-09": 3.1, "PT-51": 1.15, "LT-04": 62, "TT-11": -18.2,
}
SERIES = {"PT-12": "J", "PT-31": "K", "PT-14": "J", "LT-02": "K", "PT-40": "K", "PT-22": "K", "PT-51": "J"}
PLATES = {
    "C-2": "Compressor C-2. Built 2011 at Aarhus. Refrigerant R-717. Oil charge 46 litres. Swept volume 412 cubic metres an hour. "
           "Largest pressure 24 bar.",
    "C-1": "Compressor C-1. Built 2019 at Aarhus. Refrigerant R-717. Oil charge 52 litres. Out of use since March.",
    "V-8": "Valve V-8. DN 40. PN 25. Seat: steel. Built 2012.",
    "V-3": "Valve V-3. DN 25. PN 25. Seat: plastic. Built 2012.",
    "LT-02": "Level transmitter LT-02. Series K. 0 to 100 per cent. Low mark 28 per cent. Checked 2022.",
    "LT-07": "Level transmitter LT-07. Series M. 0 to 80 litres. Checked 2022.",
    "LT-04": "Level transmitter LT-04. Series M. 0 to 100 per cent. Low mark 40 per cent. Checked 2021.",
    "TT-05": "Temperature transmitter TT-05. Series B. -40 to 40 degrees. Checked 2023.",
    "TT-09": "Temperature transmitter TT-09. Series K. -40 to 40 degrees. Checked 2021.",
    "TT-11": "Temperature transmitter TT-11. Series B. -40 to 40 degrees. Checked 2023.",
}
for point, series in SERIES.items():
    if point.startswith("PT"):
        PLATES[point] = f"Pressure transmitter {point}. Series {series}. 0 to 25 bar. Checked 2023."

# Pages by a name of ours. {X} is the code of page X. A way is (condition on what is known, page then, page else).
PAGES = {
    "start": ("""
        Room 3 is too warm. This page opens the work order. An entry of the work order is written as the manual gives it: quantity, part, number,
        minutes. The minutes of an entry hold for the whole entry, whatever its quantity. Do nothing to the plant while you read: everything is
        repaired together when the work order has been closed. The alarm bell may be switched off; it has no part in the fault.

        The first question is whether the compressor draws enough gas. Measure PT-12, the pressure on the suction side. If it is below 2.10 bar, go
        on with page {w-suction}, otherwise with page {refrigerant}.
        """, lambda k: k["PT-12"] < 2.10, "w-suction", "refrigerant", None),
    "refrigerant": ("""
        The suction side is in order. Two compressors stand in the hall; C-1 has been out of use since March and is not part of this search. Most pages that
        follow are written for ammonia, which plates call R-717. Other refrigerants need other thresholds. The sight glass on the
        machine has been known to mislead: do not use it.

        Read the plate of compressor C-2 and keep what it says, since later pages ask for it. If the refrigerant is R-717, go on with page {condenser},
        otherwise with page {w-other}.
        """, lambda k: "R-717" in PLATES["C-2"], "condenser", "w-other", None),
    "condenser": ("""
        With ammonia the pressure behind the compressor tells whether the condenser does its work. It hangs together with the weather: on a
        warm day 11 bar are nothing to worry about, and 13 bar trip the high-pressure switch. Today is an ordinary day.

        Measure PT-31. If it is below 9.80 bar, go on with page {coil}, otherwise with page {filter}.
        """, lambda k: k["PT-31"] < 9.80, "coil", "filter", None),
    "filter": ("""
        The pressure behind the compressor is at the upper end, which speaks for a filter that has closed up. Filters of this make were
        changed every two years until 2018 and every three years since; the card on the wall has the dates. Write into the work order:
        1 x filter insert 40-118, 35 minutes.

        Then measure TT-05, the pipe to room 3. If it is above -6.0 degrees, go on with page {drop}, otherwise with page {w-cold}.
        """, lambda k: k["TT-05"] > -6.0, "drop", "w-cold", (1, "filter insert", "40-118", 35)),
    "drop": ("""
        The pipe is warmer than it should be. Gas is lost or held up between the two ends of the suction line. The line is forty metres long
        and was insulated anew in 2020; a drop of 0.10 bar over its length is what the makers promise, and up to 0.30 bar is nothing that anyone repairs.

        Measure PT-14 at the far end, and compare it with PT-12 as you measured it on the first page. If PT-14 is lower than PT-12 by
        more than 0.30 bar, go on with page {gasket}, otherwise with page {w-flow}.
        """, lambda k: k["PT-12"] - k["PT-14"] > 0.30, "gasket", "w-flow", None),
    "gasket": ("""
        Such a drop has come from the gaskets at the two flanges in every case that we know of. They are always changed as a pair. Write into
        the work order: 2 x gasket 71-204, 20 minutes.

        Compressors built before 2015 have a float that sticks when the pressure drops, later ones do not. If the compressor whose plate you read was
        built before 2015, go on with page {float}, otherwise with page {w-new}.
        """, lambda k: int(PLATES["C-2"].split("Built ")[1][:4]) < 2015, "float", "w-new", (2, "gasket", "71-204", 20)),
    "float": ("""
        The float sits in the low-pressure vessel. When it sticks, the level sinks within days and the pump begins to sing. People in the office
        above report the noise before the instruments do. Measure LT-02, the level in the vessel, in per cent. If it is below 35, go on with page
        {valve}, otherwise with page {w-level}.
        """, lambda k: k["LT-02"] < 35, "valve", "w-level", None),
    "valve": ("""
        The level is low. Write into the work order: 1 x float valve 71-330, 50 minutes. The valve comes with its own seal.

        Before anything is ordered, the bulletin of the maker has to be read. It stands on page {bulletin}.
        """, None, "bulletin", None, (1, "float valve", "71-330", 50)),
    "bulletin": ("""
        BULLETIN 7. Pressure transmitters of series K were delivered with a wrong setting: they read 0.35 bar too high. The plate of a transmitter names its
        series. Level and temperature transmitters of series K are right, and so are pressure transmitters of all other series. The setting cannot be
        mended on site; take 0.35 bar off every reading of such a transmitter, those you already took and those that you still take.

        If a reading of such a transmitter has decided your way, go back to the first page on which it did. Everything that was written into the
        work order on that page or later is struck out and does not count any more. Go on from that page with the right pressure; what you
        measured with other transmitters stays as it is and need not be measured again.

        Whoever comes from a page to this bulletin for the second time goes on with page {bypass} instead.
        """, None, None, None, None),
    "coil": ("""
        The pressure behind the compressor is lower than it should be, and so the condenser is not the cause. Gas gets from the high side to the low side. The
        first thing to look at is the solenoid valve V-8, whose coil is changed in any case since it costs less than the search. Write into the work order:
        1 x solenoid coil 40-562, 15 minutes.

        Read the plate of valve V-8. If its size is DN 32 or more, go on with page {large}, otherwise with page {w-small}.
        """, lambda k: int(PLATES["V-8"].split("DN ")[1][:2]) >= 32, "large", "w-small", (1, "solenoid coil", "40-562", 15)),
    "large": ("""
        Valves of this size close by the pressure of the gas itself, and need enough of it in the pilot line. The pilot line is the thin
        one with the blue tape; the thin one with the red tape belongs to the fire brigade. With 3.10 bar or more in it the valve surely closes and the fault lies elsewhere.

        Measure PT-40, the pressure in the pilot line. If it is 3.10 bar or more, go on with page {w-elsewhere}, otherwise with page {pilot}.
        """, lambda k: k["PT-40"] >= 3.10, "w-elsewhere", "pilot", None),
    "pilot": ("""
        The pilot line has too little pressure, so that valve V-8 stays open by a hair. How much gets through can be told from the pipe to room 3,
        if the fan of the room is running, which it is. Take TT-05, the temperature of that pipe; measure it if you have not. If it is above -5.0
        degrees, go on with page {rings}, otherwise with page {w-little}.
        """, lambda k: k["TT-05"] > -5.0, "rings", "w-little", None),
    "rings": ("""
        Much gets through: the rings of the valve are worn. Write into the work order: 3 x ring 71-019, 10 minutes.

        Liquid may have been carried along. The plate of LT-02 names a low mark in per cent. Take the level LT-02; measure it if you have not. If it is
        below the low mark of its plate, go on with page {w-carried}, otherwise with page {relief}.
        """, lambda k: k["LT-02"] < int(PLATES["LT-02"].split("Low mark ")[1][:2]), "w-carried", "relief", (3, "ring", "71-019", 10)),
    "relief": ("""
        No liquid was carried along. A relief valve that has stood under gas for weeks is not trusted again. Write into the work order:
        1 x relief valve 40-900, 45 minutes. The old one goes back to the maker; a label is in the drawer of the desk.

        Now compare PT-40 with PT-14, both as they rightly are; measure PT-14 if you have not. If PT-40 is higher than PT-14 by more than 1.20
        bar, go on with page {w-high}, otherwise with page {gasketed}.
        """, lambda k: k["PT-40"] - k["PT-14"] > 1.20, "w-high", "gasketed", (1, "relief valve", "40-900", 45)),
    "gasketed": ("""
        The two pressures lie close enough together. What is left is the oil, which is carried out of the compressor wherever gas goes the wrong way.
        If a gasket 71-204 stands in the work order and has not been struck out, go on with page {w-done}, otherwise with page {oil}.
        """, lambda k: any(e[2] == "71-204" for e in k["order"]), "w-done", "oil", None),
    "oil": ("""
        The plate of the compressor names its oil charge in litres. LT-07 reads how many litres there are. Oil foams for a quarter of an hour after a stop, so
        the compressor must be running, which it is. Measure LT-07. If it is below half of the oil charge, go on with page {w-oil}, otherwise
        with page {cans}.
        """, lambda k: k["LT-07"] < int(PLATES["C-2"].split("charge ")[1][:2]) / 2, "w-oil", "cans", None),
    "cans": ("""
        There is enough oil to run and too little to run for long. Write into the work order: 4 x oil can 90-015, 5 minutes.

        Before anything is ordered, the bulletin of the maker has to be read. It stands on page {bulletin}.
        """, None, "bulletin", None, (4, "oil can", "90-015", 5)),
    "bypass": ("""
        The fault has been found; what remains is to look for a second one. In one house of ten there is one: the bypass of the condenser, which was left open
        after a test. The bypass is shut if PT-31, as it rightly is, is higher than PT-40, as it rightly is, by 6.80 bar or more. If the bypass is shut,
        go on with page {close}, otherwise with page {open}.
        """, lambda k: k["PT-31"] - k["PT-40"] >= 6.80, "close", "open", None),
    "open": ("""
        The bypass has been left open. Write into the work order: 1 x bypass lock 71-777, 8 minutes. The lock is sealed with lead by the one who puts it in. Go on with page {close}.
        """, None, "close", None, (1, "bypass lock", "71-777", 8)),
    "close": ("""
        This page closes the work order. Its minutes are counted so: an entry of less than 12 minutes counts as 12 minutes. The parts whose
        number begins with 40 can only be changed while the plant stands still; if there is at least one of them, 90 minutes are added, once, for
        stopping and starting it. For each part whose number begins with 71, that is for each piece of its quantity, 3 minutes are added for the report to the inspector. Nothing is
        added for the way. Struck entries count for nothing. With this the search is over.
        """, None, None, None, None),
}
DEAD_ENDS = {
    "w-suction": ("1 x suction strainer 40-230, 25 minutes", "The compressor starves."),
    "w-other": ("1 x refrigerant card 90-440, 5 minutes", "The plant has been filled with another refrigerant since the manual was written."),
    "w-cold": ("1 x sensor pocket 71-080, 30 minutes", "The pipe is cold, and the fault must lie in the room."),
    "w-flow": ("1 x flow plate 40-310, 40 minutes", "The line is free, and too little is sent into it."),
    "w-new": ("1 x control card 90-201, 15 minutes", "Later compressors have no float but a card."),
    "w-level": ("2 x door seal 71-512, 60 minutes", "The vessel is full enough; look at the doors."),
    "w-small": ("1 x valve 40-320, 70 minutes", "Small valves are not repaired."),
    "w-elsewhere": ("1 x pilot gauge 71-065, 10 minutes", "The valve closes; its gauge is changed to be sure."),
    "w-little": ("1 x valve seat 71-026, 20 minutes", "Only little gets through, and a new seat will do."),
    "w-carried": ("1 x separator 40-707, 120 minutes", "Liquid has been carried along into the compressor."),
    "w-high": ("1 x pilot orifice 71-033, 15 minutes", "The pilot pressure is higher than the line needs."),
    "w-done": ("1 x flange bolt set 71-205, 10 minutes", "The gaskets are changed in any case, and so are their bolts."),
    "w-oil": ("1 x oil pump 40-615, 80 minutes", "Too much oil has been lost for the pump to have lived."),
}


def codes():
    """A code of three digits for every page, in no order that could be guessed."""
    numbers = Numbers(1301).shuffled(range(101, 1000))
    names = [n for n in list(PAGES) + list(DEAD_ENDS) if n != "start"]
    return {"start": "R-100", **{n: f"R-{k}" for n, k in zip(names, numbers)}}


def texts():
    code = codes()
    out = {}
    for name, page in PAGES.items():
        text = page[0]
        for other, c in code.items():
            text = text.replace("{" + other + "}", c)
        out[code[name]] = f"Page {code[name]}.\n\n" + fill(text)
    for name, (entry, words) in DEAD_ENDS.items():
        text = f"{words} Write into the work order: {entry}. If nothing else is found, this is the repair. Go on with page {code['bypass']}."
        out[code[name]] = f"Page {code[name]}.\n\n" + fill(text)
    return dict(sorted(out.items()))


def walk():
    """The work order: first with the readings as they are, then, from the bulletin on, with the right ones."""
    right = {p: v - 0.35 if p.startswith("PT") and SERIES[p] == "K" else v for p, v in READINGS.items()}
    order, name, bulletin, path = [], "start", False, []
    while name != "close":
        path.append(name)
        if name == "bulletin":
            if bulletin:
                name = "bypass"
                continue
            bulletin = True
            # PT-31 on the page of the condenser is the first reading of series K that decided.
            back = path.index("condenser")
            order = [e for e in order if e[0] < back]
            name = "condenser"
            continue
        _, condition, then, otherwise, entry = PAGES[name]
        if entry:
            order.append((len(path) - 1, *entry))
        known = {**(right if bulletin else READINGS), "order": [e[1:] for e in order]}
        name = then if condition is None or condition(known) else otherwise
    minutes = sum(max(12, e[4]) for e in order)
    minutes += 90 if any(e[3].startswith("40") for e in order) else 0
    minutes += sum(3 * e[1] for e in order if e[3].startswith("71"))
    return path + ["close"], {"minutes": minutes, "parts": [[e[1], e[3]] for e in order]}


path, result = walk()
if "-v" in sys.argv:
    print(path, len(path))
write(__file__, {"data/pages.json": texts(), "data/measures.json": READINGS, "data/plates.json": dict(sorted(PLATES.items())), "answer.json": result})
