"""What every make.py and check.py of these tasks shares: numbers that are the same everywhere, writing and verifying files."""

import json
import os
import sys


class Numbers:
    """A plain generator of numbers, so that no library's choice changes the data."""

    def __init__(self, seed):
        self.state = seed
        for _ in range(8):
            self.below(2)

    def below(self, n):
        """A number from 0 to n - 1."""
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % n

    def between(self, low, high):
        """A number from low to high, both included."""
        return low + self.below(high - low + 1)

    def pick(self, items):
        """One of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items):
        """The items in another order."""
        out = list(items)
        for i in range(len(out) - 1, 0, -1):
            j = self.below(i + 1)
            out[i], out[j] = out[j], out[i]
        return out


def fill(text, width=110):
    """Paragraphs (parted by empty lines) with their lines broken at a width."""
    import textwrap

    return "\n\n".join(textwrap.fill(" ".join(p.split()), width, break_on_hyphens=False) for p in text.strip().split("\n\n"))


def as_json(value):
    """JSON as it is committed: an item a line at the top, so that differences can be read."""
    if isinstance(value, dict):
        rows = [f"{json.dumps(k)}: {json.dumps(v)}" for k, v in value.items()]
        return "{\n" + ",\n".join(rows) + "\n}\n"
    if isinstance(value, list) and value and isinstance(value[0], (dict, list)):
        return "[\n" + ",\n".join(json.dumps(v) for v in value) + "\n]\n"
    return json.dumps(value) + "\n"


def here(script):
    """The folder of a script."""
    return os.path.dirname(os.path.abspath(script))


def write(script, files):
    """Writes the files beside the script (name to text, or to a value that becomes JSON).

    With --verify on the command line nothing is written: files that differ from what would be written end the script with 1.
    """
    verify = "--verify" in sys.argv[1:]
    wrong = []
    for name, content in files.items():
        text = content if isinstance(content, str) else as_json(content)
        if not text.isascii():
            sys.exit(f"{name}: not ASCII: {[c for c in text if not c.isascii()][:5]}")
        path = os.path.join(here(script), name)
        if verify:
            try:
                with open(path, encoding="ascii", newline="") as old:
                    same = old.read() == text
            except OSError:
                same = False
            if not same:
                wrong.append(name)
        else:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="ascii", newline="\n") as out:
                out.write(text)
    if wrong:
        sys.exit(f"{script}: not what make.py makes: {', '.join(wrong)}; run make.py without --verify to write it anew")
    size = sum(len(c if isinstance(c, str) else as_json(c)) for c in files.values())
    print(f"{os.path.basename(here(script))}: {len(files)} files, {size} bytes, {'unchanged' if verify else 'written'}")


def read(script, name):
    """A file beside the script: JSON as a value, anything else as text."""
    with open(os.path.join(here(script), name), encoding="ascii") as f:
        return json.load(f) if name.endswith(".json") else f.read()


def check(script, found):
    """Ends the script with 1 if what was found is not the value in answer.json."""
    expected = read(script, "answer.json")
    if json.loads(json.dumps(found)) != expected:
        sys.exit(f"{script}: answer.json has {json.dumps(expected)}, found {json.dumps(found)}")
    print(f"{os.path.basename(here(script))}: the answer is {json.dumps(found)[:100]}")
