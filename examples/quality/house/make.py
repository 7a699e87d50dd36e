#!/usr/bin/env python3
"""Makes the house: its rooms, its locked things with their words, and what the tags come to.

python3 make.py writes the data, python3 make.py --verify compares it.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import fill, write  # noqa: E402

LETTER = """To whom it concerns. My house holds fifteen things that open with a word. Each of them holds a tag with a number and a note that leads to the next one. Keep for each
    of them in which room it stood, what kind of word opened it and what number stood on its tag; you are asked for it in the end, and the notes do not repeat
    anything. A word is what a note describes, in small letters, or a number in digits.

    Begin with the tin box (tin-box) in the kitchen (kitchen). It opens with the name of the parrot on the portrait in the hall (hall).

    Tobias Lindqvist, clockmaker"""

ROOMS = {
    "hall": """The hall. The floor is laid with tiles, black and white, 11 along the wall to the street and 7 from the door inwards. Above the chest hangs the portrait of Elsa
        Lindqvist with a parrot on her shoulder; a line below says that the parrot was called Figaro, and that the painter, one Holmgren, was paid 90 crowns for the two. The clock beside it stopped at 4:25; the
        one across, a present from the guild in 1799, at 7:10. On the chest stands the model of a ship, the Kronan, without her masts. Doors lead to
        the kitchen (kitchen), the library (library) and the blue room (blue-room), stairs to the landing (landing).""",
    "kitchen": """The kitchen. A green stove fills half of it. Six copper pans hang above the table, and a picture of the ship Meridian, close-hauled, hangs
        where the smoke does not reach. On a shelf stands a tin box (tin-box). The flour bin was made in Malmo, as its lid says, in 1810. The cook's cat was called Mustafa. A
        door leads to the garden (garden).""",
    "library": """The library. There are three cases: one with 47 books of sermons, one with 118 books of travels, one with 64 books of poems. A globe by the window was made in Lund;
        the map beside it was printed in Venice. The motto above the fireplace says that the hour hastens; there is no stove. In the middle stands a desk (desk). On it lies a bill for
        35 crowns, for a picture of a ship called Victoria, which was never delivered.""",
    "blue-room": """The blue room. A brass stove, a piano with 85 keys, a bed for guests. A picture shows the ship Astrea in a calm; it was hung here because Elsa could
        not bear it. A cabinet (cabinet) stands between the windows. The mirror over the bed has a crack since 1805.""",
    "landing": """The landing, reached by 23 steps. A stuffed heron looks down the stairs. On the wall the four daughters were measured every year, and their
        names stand there with the years of their birth: Agnes 1802, Britta 1804, Clara 1807, Dorotea 1811. The barometer was brought from Genoa, the lamp from Trieste. A mirror
        (mirror) in a thick frame hangs over the rail. A door leads to the nursery (nursery). A ladder goes up to a hatch, but not from this side.""",
    "nursery": """The nursery. A doll's house with 9 windows and 4 doors, a rocking horse that is called Bucephalus, a wooden goose that is called Matilda. An iron stove with a guard, and above it a
        picture of the ship Thetis under full sail. In the corner stands a chest for toys (toy-chest).""",
    "garden": """The garden. A sundial bears the year 1768 and the sentence that it counts bright hours only. There are 5 trees of one sort of apple and 3 of another. The well (well) has a
        lid with a lock; a stone beside it says that it was dug in 1755 and is 34 feet deep. The dog that lies below the stone was called Caesar.""",
    "workshop": """The workshop. Of 17 clocks on the wall 5 run. Two of them strike, one after the other, the wrong hour. On the bench lie a vice and a tall clock's weight of 12 pounds. There
        is a drawer (drawer) in the bench, and a tall clock (tall-clock) without a hand beside it. No picture, no stove: Tobias worked in a coat.""",
    "cellar": """The cellar. It smells of apples. There are 31 bottles in a rack, and the rack was made for 48. Behind it stands an iron box (iron-box). Somebody has written
        on the wall that the flood of 1784 came up to here.""",
    "boathouse": """The boathouse. Two boats lie in it: the one with the red hull is the Sofia, the one with the white hull the Amalia. Each has 4 oars. Under the floor, where the tide cannot reach,
        there is a locker (locker). The nets belong to the neighbour.""",
    "attic": """The attic. A trunk (trunk) with a curved lid stands below the skylight, and on close inspection it has a false bottom (false-bottom). The weather vane, taken down in
        1812, lies beside it: a cock with 6 feathers. There are 14 wasps' nests.""",
    "observatory": """The observatory, a shed with a roof that can be slid away. There is a stand for a telescope but no telescope; its case (case) leans against the wall. A
        table of the moons of Jupiter, copied in 1797, hangs above a chair.""",
    "chapel": """The chapel. The bench on the left has a brass plate: here sat Agnes. The one on the right has one too: here sat Dorotea, when she came. The poor box (poor-box) is let into the wall.
        The bell, cast in Riga, weighs 140 pounds.""",
    "gatehouse": """The gatehouse. One room, one window, one box for letters (letter-box). The gatekeeper counted carriages with a piece of chalk: there are 212 strokes.""",
}

# Room, thing, word, number on the tag, kind of the word, and the rest of its note.
THINGS = [
    ("kitchen", "tin-box", "figaro", 14, "pet", "Go on with the desk (desk) in the library. Its word is the name of the ship on the picture that hangs in the room with the brass stove."),
    ("library", "desk", "astrea", 23, "ship", "Go on with the cabinet (cabinet) in the blue room. Its word is the year on the sundial in the garden."),
    ("blue-room", "cabinet", "1768", 8, "year", "Go on with the chest for toys (toy-chest) in the nursery. Its word is the name of the daughter who was born next after Britta. And "
     "since you have come so far: behind the garden stands my workshop (workshop)."),
    ("nursery", "toy-chest", "clara", 31, "daughter", "Go on with the drawer (drawer) in the workshop. Its word is the city from which the barometer in the house was brought."),
    ("workshop", "drawer", "genoa", 12, "city", "Go on with the tall clock (tall-clock) that stands beside you. Its word is the time at which the clock next to the portrait stopped, hours and minutes in "
     "three digits, without any sign between them."),
    ("workshop", "tall-clock", "425", 19, "number", "Go on with the well (well) in the garden. Its word is the number of the books of poems in the library. What lies below the well is the "
     "cellar (cellar)."),
    ("garden", "well", "64", 5, "number", "Go on with the iron box (iron-box) in the cellar. Its word is the name of the ship on the picture that hangs in the room with the iron stove."),
    ("cellar", "iron-box", "thetis", 27, "ship", "Go on to the boathouse (boathouse), and in it to the locker (locker). Its word is the number of steps up to the landing plus the number of tiles in the hall "
     "along the wall to the street."),
    ("boathouse", "locker", "34", 16, "number", "Go on to the attic (attic), whose hatch you can now open, and in it to the trunk (trunk). Its word is the name of the boat with the red hull."),
    ("attic", "trunk", "sofia", 9, "boat", "Go on to the observatory (observatory), and in it to the case (case) of the telescope. Its word is the city in which the globe was made."),
    ("observatory", "case", "lund", 22, "city", "Go on to the chapel (chapel), and in it to the poor box (poor-box). Its word is the year in which the daughter was born who sat on "
     "the left bench."),
    ("chapel", "poor-box", "1802", 11, "year", "Go on to the gatehouse (gatehouse), and in it to the box for letters (letter-box). Its word is the number of clocks that run in the workshop, "
     "times the number of windows of the doll's house."),
    ("gatehouse", "letter-box", "45", 34, "number", "One tag I wrote wrongly: the one in the thing that opened with the name of an Italian city counts 21, whatever stands on it. Go on to the attic once more, to the "
     "false bottom (false-bottom) of the trunk. Its word is the name of the ship on the picture that hangs in the room with the green stove."),
    ("attic", "false-bottom", "meridian", 7, "ship", "Go on with the mirror (mirror) on the landing, the last of the fifteen. Its word is the name of the rocking horse."),
    ("landing", "mirror", "bucephalus", 18, "toy", "This is what I ask for. Add up the tags of the things that opened with the name of a ship or of a boat. Take from this the tags of the things that opened with a "
     "year. Then add twice the tags of the things that stood in the workshop, whatever opened them. All other tags count for nothing in this. At last add ten times the sum of all fifteen tags as they rightly are."),
]
tags = {(room, thing): 21 if word == "genoa" else tag for room, thing, word, tag, _, _ in THINGS}
total = 0
for room, thing, word, _, kind, _ in THINGS:
    tag = tags[(room, thing)]
    total += tag * ((kind in ("ship", "boat")) - (kind == "year") + 2 * (room == "workshop") + 10)
write(__file__, {
    "data/letter.txt": fill(LETTER) + "\n",
    "data/rooms.json": {name: fill(text) for name, text in ROOMS.items()},
    "data/things.json": {f"{r}/{t}": {"word": w, "text": fill(f"A tag with the number {n}, and a note. {note}")} for r, t, w, n, _, note in THINGS},
    "answer.json": total,
})
