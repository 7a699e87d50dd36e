"""Counts the same things as the agent of this example, by another way, for expected.json.

Run in this folder: python3 count.py > expected.json
"""

import collections
import json
import pathlib
import re
import statistics

DATA = pathlib.Path(__file__).with_name("tau-bench-airline.jsonl")


def ranked(counter):
    """Items by falling count, then by name."""
    return sorted(counter.items(), key=lambda item: (-item[1], item[0]))


def events(conversation):
    """The tool calls and results of a conversation as a flat list, in order."""
    for message in conversation["messages"]:
        for block in message["content"]:
            if block["type"] in ("tool_use", "tool_result"):
                yield block


def answered(conversation):
    """(call, result) pairs: from each result backwards to the first call of its id that no other result took."""
    flat = list(events(conversation))
    taken = set()
    for at, result in enumerate(flat):
        if result["type"] != "tool_result":
            continue
        for back in range(at - 1, -1, -1):
            call = flat[back]
            if call["type"] == "tool_use" and call["id"] == result["id"] and back not in taken:
                taken.add(back)
                yield call, result
                break


def main():
    with DATA.open(encoding="utf-8") as lines:
        conversations = [json.loads(line) for line in lines]
    lengths = [len(c["messages"]) for c in conversations]
    calls = collections.Counter(e["name"] for c in conversations for e in events(c) if e["type"] == "tool_use")
    reasons = collections.defaultdict(collections.Counter)
    for conversation in conversations:
        for call, result in answered(conversation):
            if result["is_error"] or result["content"].startswith("Error"):
                text = result["content"].removeprefix("Error: ")
                words = re.split(r"([A-Za-z0-9_-]+)", text)
                reasons[call["name"]]["".join("#" if any(d in "0123456789" for d in w) else w for w in words)] += 1
    failed = collections.Counter({tool: sum(why.values()) for tool, why in reasons.items()})
    answer = {
        "conversations": len(conversations),
        "calls": sum(calls.values()),
        "messages": {
            "min": min(lengths),
            "median": float(statistics.median(lengths)),
            "max": max(lengths),
            "mean": statistics.fmean(lengths),
        },
        "tools": [{"tool": tool, "calls": n} for tool, n in ranked(calls)],
        "failures": [
            {
                "tool": tool,
                "calls": calls[tool],
                "failed": n,
                "reasons": [{"reason": why, "times": times} for why, times in ranked(reasons[tool])],
            }
            for tool, n in ranked(failed)
        ],
    }
    print(json.dumps(answer, indent=2))


if __name__ == "__main__":
    main()
