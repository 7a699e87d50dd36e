#!/usr/bin/env python3
"""Makes the manual of a machine and a pile of cards for it, and runs them.

python3 make.py writes the data, python3 make.py --verify compares it.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import Numbers, fill, write  # noqa: E402

MANUAL = {
    "wheels": """The machine has four wheels, A, B, C and D. A wheel shows a number from 0 to 9999. If an order would bring it above 9999, it goes on from 0 (10000 becomes 0, 10007
        becomes 7) and the bell rings once, however far above it was. If an order would bring it below 0, it stays at 0 and the lamp is lit. At the start all wheels show 0, the lamp
        is dark, the stack is empty, and the bell has not rung. The chapter on cards says how a pile is brought in order.""",
    "cards": """Each card begins with its number. The machine obeys the cards in the order of their numbers, whatever their order in the pile, and numbers need not follow
        each other without gaps. If a number stands on several cards, only the card that lies deepest in the pile (furthest down in the list) is valid, the others are thrown away before the start. A card
        whose text begins with an asterisk is a remark and is thrown away as well, but only after that: a remark that lies deepest takes away the orders of its number. All orders are in the chapter on orders.

        The machine counts the cards that it obeys, each time that it obeys them. A mark is a card too and is counted; so is the card that stops the machine.""",
    "orders": """put N in X: the wheel X shows the number N.  copy X to Y: Y shows what X shows.  add X to Y: Y grows by what X shows.  take X from Y: Y shrinks by what X shows.
        double X, halve X: twice and half of what X shows; half of an odd number is rounded down.  swap X Y: the two change places.

        mark NAME: does nothing, it is a place to go to.  go NAME: the next card is the mark NAME.  go NAME if lamp: only if the lamp is lit; this puts
        the lamp out.  go NAME if X: only if the wheel X does not show 0.  ring: the bell rings once.  stop: the machine stops.

        keep X and fetch X belong to the stack and have their own chapter. N is any number from 0 to 9999; a wheel stands where X and Y are written. Which machine
        you have stands on its plate; see there what differs.""",
    "stack": """keep X puts the number that X shows on top of the stack. fetch X takes the top of the stack away and lets X show it. The stack holds eight numbers; if a ninth is
        kept, the undermost falls out and the bell rings once. If the stack is empty, fetch lets X show 0 and lights the lamp.""",
    "lamp": """The lamp is lit by an order that would bring a wheel below 0 and by fetch from an empty stack. It stays lit until a card go NAME if lamp is obeyed, which puts it out,
        whether it was lit or not. No other order puts it out. The lamp is not lit by anything else, in particular not by the bell.""",
    "mending": """Misprints of this manual, second edition. In the chapter on orders: a half of an odd number is rounded up on machines with a number above 500, and down on older ones.
        In the chapter on the stack: machines with a number above 800 hold six numbers and not eight. In the chapter on wheels: where it says that the bell rings once, however far above it was,
        this holds for add; double never rings the bell. In the chapter on cards nothing is wrong.""",
    "plate": """Weaving mill of Elverum. Counting machine number 644. Built 1931. Mended by the maker in 1938. For misprints of the manual see the chapter on mending.""",
}
PROGRAM = """
10 put 7 in A
20 put 311 in B
30 put 40 in D
40 mark outer
50 add A to B
60 add B to C
70 keep B
80 copy B to A
90 mark shrink
100 halve A
110 add D to C
120 take D from A
130 go small if lamp
140 go shrink if A
150 mark small
160 double C
170 add C to A
180 swap A B
190 halve B
195 add B to C
200 put 1 in A
210 take A from D
220 put 3 in A
230 go fetching if lamp
240 go outer if D
250 mark fetching
260 put 0 in A
270 mark again
280 fetch B
290 go done if lamp
300 add B to A
310 add B to A
320 add A to C
330 ring
340 go again
350 mark done
360 copy C to D
370 take A from D
380 go low if lamp
390 halve C
400 go end
410 mark low
420 double C
430 keep C
440 fetch B
450 mark end
460 add A to B
470 stop
"""
# Cards that are no longer valid: they lie higher in the pile than the valid card of their number.
OLD = ["20 put 113 in B", "110 add D to A", "160 double A", "195 add A to C", "215 ring", "300 add C to A", "30 put 31 in D", "455 put 0 in B", "390 double C", "75 ring", "120 take C from A"]
REMARKS = ["215 * the bell was too loud for Mrs Vik", "75 * left out since 1936", "455 * left out", "5 * cards of the night shift", "135 * small pieces", "245 * now what was kept"]


def valid(pile):
    cards = {}
    for line in pile:
        number, text = line.split(" ", 1)
        cards[int(number)] = text
    return [text for _, text in sorted(cards.items()) if not text.startswith("*")]


def run(cards):
    wheels, lamp, stack, bell, obeyed, at = dict(A=0, B=0, C=0, D=0), False, [], 0, 0, 0
    marks = {c.split()[1]: i for i, c in enumerate(cards) if c.startswith("mark")}

    def turn(x, value, rings):
        nonlocal bell, lamp
        if value < 0:
            value, lamp = 0, True
        if value > 9999:
            value %= 10000
            bell += rings
        wheels[x] = value

    while True:
        words = cards[at].split()
        at += 1
        obeyed += 1
        match words:
            case ["put", n, "in", x]:
                wheels[x] = int(n)
            case ["copy", x, "to", y]:
                wheels[y] = wheels[x]
            case ["add", x, "to", y]:
                turn(y, wheels[y] + wheels[x], 1)
            case ["take", x, "from", y]:
                turn(y, wheels[y] - wheels[x], 0)
            case ["double", x]:
                turn(x, 2 * wheels[x], 0)
            case ["halve", x]:
                wheels[x] = (wheels[x] + 1) // 2
            case ["swap", x, y]:
                wheels[x], wheels[y] = wheels[y], wheels[x]
            case ["keep", x]:
                stack.append(wheels[x])
                if len(stack) > 8:
                    stack.pop(0)
                    bell += 1
            case ["fetch", x]:
                if stack:
                    wheels[x] = stack.pop()
                else:
                    wheels[x], lamp = 0, True
            case ["go", name]:
                at = marks[name]
            case ["go", name, "if", "lamp"]:
                if lamp:
                    at = marks[name]
                lamp = False
            case ["go", name, "if", x]:
                if wheels[x]:
                    at = marks[name]
            case ["ring"]:
                bell += 1
            case ["mark", _]:
                pass
            case ["stop"]:
                return [*wheels.values(), bell, obeyed]


numbers = Numbers(644)
old = numbers.shuffled(OLD)
pile = numbers.shuffled(PROGRAM.strip().split("\n") + REMARKS)
for card in old:
    # Anywhere above the valid card of the same number.
    place = next(i for i, c in enumerate(pile) if c.split()[0] == card.split()[0])
    pile.insert(numbers.below(place + 1), card)
result = run(valid(pile))
if "-v" in sys.argv:
    print(result)
write(__file__, {"data/cards.txt": "\n".join(pile) + "\n", "data/manual.json": {k: fill(t) for k, t in MANUAL.items()}, "answer.json": result})
