#!/usr/bin/env python3
"""Makes posts.sqlite: ten posts that a community wrote, about 18 KB of text. The same bytes of text every time.

Run it in this folder to make the database anew: python3 make.py
"""

import os
import sqlite3

TOPICS = [
    ("ada", "Self-hosting a model on an old gaming PC", 41,
     ["I put a seven-billion model on a card from 2017 and it answers faster than I read.",
      "The trick was to quantise to four bits and keep the context at four thousand tokens.",
      "Power draw at idle went from 90 to 35 watts once I told the card to sleep between requests.",
      "My notes on the fans, the cable and the one driver that works are in the thread below."]),
    ("bruno", "Weekly meetup: what we learnt from our prompt library", 18,
     ["We met on Tuesday, fourteen of us, and went through the forty prompts that people had shared.",
      "Half of them were the same prompt with a different greeting, so we merged them into nine.",
      "The ones that survived all say what a good answer looks like before they say what to do.",
      "Next week Carla shows how she tests hers against last month's tickets."]),
    ("carla", "Tutorial: testing prompts like code, step by step", 67,
     ["Write down ten real inputs and the answer you would accept for each, before you touch the prompt.",
      "Run all ten after every change, and keep the score beside the version in the repository.",
      "When a case fails, do not mend the prompt at once: first ask whether the case is right.",
      "The script is sixty lines of shell and has caught three regressions this month."]),
    ("dmitri", "Why my summaries got worse when I gave more context", 52,
     ["I pasted the whole chat of a year, and the summary started to talk about people who had left.",
      "With the last two weeks and a list of open questions it became useful again.",
      "I measured it: eighteen of twenty readers preferred the short context.",
      "More is not better once the model can no longer tell what matters to you."]),
    ("elif", "Looking for two testers for the new moderation bot", 9,
     ["The bot reads reports and proposes an action; a person still decides.",
      "I need two people who will disagree with it for a week and write down why.",
      "It takes about ten minutes a day and you get a badge with a very small owl.",
      "Answer here, or write to me directly if you would rather not say so in public."]),
    ("farid", "A cheap way to spot when a bot is making things up", 74,
     ["Ask it the same question three times with the sources in a different order.",
      "If the numbers move, they did not come from the sources.",
      "I have run this on our archive of four hundred answers, and it finds four of five inventions.",
      "It costs three requests instead of one, so I only do it where a number is quoted."]),
    ("grace", "Community update: rules for sharing chat logs", 23,
     ["From now on logs that name other people need their consent, also when the names are first names only.",
      "The archive bot removes e-mail addresses and phone numbers, and it is not perfect.",
      "If you find something of yours that should not be there, press the flag, no reason needed.",
      "Thank you to the nine people who wrote the draft together over the holidays."]),
    ("hugo", "My agent deleted its own notes, a cautionary tale", 58,
     ["It had a tool to tidy up, and tidying up is what it did, every evening, thoroughly.",
      "On Friday it could not say what it had done since Monday, and neither could I.",
      "Now tools that remove things ask a person, and everything is written to a log that only grows.",
      "I lost a week of measurements and kept one lesson: make memory append-only."]),
    ("ines", "Teaching my grandmother to use voice mode", 35,
     ["She is eighty-three and she says please and thank you to it, and it has changed how I write prompts.",
      "The hardest part was the pause: she thinks before she speaks and it answered too early.",
      "A setting for that was hidden three menus deep, and now it waits two seconds.",
      "She uses it to look up recipes and, I suspect, to settle arguments with my uncle."]),
    ("jun", "Benchmarks of five small models on our own questions", 63,
     ["I took fifty questions from the help channel and graded the answers blind, with two friends.",
      "The smallest model won on questions about our own rules, because it quoted them instead of guessing.",
      "The largest won on code, and lost on anything about dates.",
      "All answers, grades and the grading sheet are in the repository; please tell me where we were unfair."]),
]

MORE = [
    "If you want to try it yourself, start with the smallest thing that could work and write down what surprised you.",
    "Several people asked in the voice channel, so here is the long version with everything I remember.",
    "I am not paid by anyone for this, and I have tried to say where I am unsure.",
    "The comments under the last post helped a lot, in particular the two that told me I was wrong.",
    "There is a picture of the setup in the second reply, sorry about the cable and the cat.",
    "What I would do differently: measure first, change one thing, measure again, and only then tell everybody.",
    "It is not finished, and I will edit this post when the next round of numbers is in.",
    "Please keep the discussion in the thread, so that people who come later can follow it.",
    "For the impatient: the short answer is in the first paragraph, and the rest is how I got there.",
    "I have learnt more from the three failures than from the one thing that worked in the end.",
    "Questions are welcome, also the ones that start with sorry for the stupid question.",
    "A short list of links is at the end, ordered by how often I went back to them.",
]


def text(i, lines):
    # Enough for about 1,750 bytes a post.
    rest = [MORE[(i * 5 + k) % len(MORE)] for k in range(len(MORE))] + lines[:1] + MORE[i:i + 2] + lines[2:]
    paragraphs = [" ".join(lines), " ".join(rest[:6]), " ".join(rest[6:])]
    return "\n\n".join(paragraphs)


def main():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "posts.sqlite")
    if os.path.exists(path):
        os.remove(path)
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE potential_discord_posts (id INTEGER PRIMARY KEY, author TEXT, title TEXT, upvotes INTEGER, text_content TEXT)")
    rows = [(i + 1, author, title, upvotes, text(i, lines)) for i, (author, title, upvotes, lines) in enumerate(TOPICS)]
    db.executemany("INSERT INTO potential_discord_posts VALUES (?, ?, ?, ?, ?)", rows)
    db.commit()
    db.execute("VACUUM")
    db.close()


main()
