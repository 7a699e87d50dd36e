"""Runs the cells of a notebook and compares what they print and give with the outputs in it; ``--write`` renews those."""

import ast
import contextlib
import io
import json
import sys


def outputs(source: str, names: dict) -> list:
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    out = []
    if printed.getvalue():
        out.append({"name": "stdout", "output_type": "stream", "text": printed.getvalue().splitlines(keepends=True)})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        out.append({"data": data, "execution_count": None, "metadata": {}, "output_type": "execute_result"})
    return out


def main(path: str, write: bool) -> None:
    with open(path, encoding="utf-8") as f:
        book = json.load(f)
    names: dict = {"__name__": "__main__"}
    cells = [c for c in book["cells"] if c["cell_type"] == "code"]
    for number, cell in enumerate(cells, 1):
        made = outputs("".join(cell["source"]), names)
        if write:
            cell["outputs"] = made
        elif made != cell["outputs"]:
            sys.exit(f"cell {number} gives\n{json.dumps(made, indent=1)}\nand shows\n{json.dumps(cell['outputs'], indent=1)}")
    if write:
        with open(path, "w", encoding="utf-8") as f:
            f.write(json.dumps(book, indent=1, ensure_ascii=False) + "\n")
    shown = sum(1 for c in cells if c["outputs"])
    if shown < 3:
        sys.exit("the notebook shows next to nothing")
    print(f"{len(cells)} cells give what they show")


main(sys.argv[1], "--write" in sys.argv)
