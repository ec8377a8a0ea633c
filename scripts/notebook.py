"""usage: notebook.py check|write NOTEBOOK ...: runs the cells of notebooks in their order, each notebook in its folder, without Jupyter.

write keeps in the notebook what each cell printed and drew; check compares what it prints with what is kept, and that it draws where
a picture is kept. Exit status 1 if a cell fails or prints something else.
"""

import ast
import base64
import contextlib
import io
import json
import os
import sys

os.environ["MPLBACKEND"] = "Agg"
import matplotlib.pyplot as plt


def lines(text):
    return text.splitlines(keepends=True)


def said(source, names, label):
    """Runs a cell as Jupyter does: what it prints, and the value of its last expression."""
    tree = ast.parse(source, label)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    out = io.StringIO()
    value = None
    with contextlib.redirect_stdout(out):
        exec(compile(tree, label, "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), label, "eval"), names)
    return out.getvalue(), value


def drawn():
    """The open figures as PNG, without a date or version, so that the same figure gives the same bytes."""
    for number in plt.get_fignums():
        file = io.BytesIO()
        plt.figure(number).savefig(file, format="png", dpi=80, bbox_inches="tight", metadata={"Software": None})
        yield base64.b64encode(file.getvalue()).decode()
    plt.close("all")


def outputs(printed, value, pictures, count):
    if printed:
        yield {"name": "stdout", "output_type": "stream", "text": lines(printed)}
    if value is not None and not pictures:
        yield {"data": {"text/plain": lines(repr(value))}, "execution_count": count, "metadata": {}, "output_type": "execute_result"}
    for picture in pictures:
        yield {"data": {"image/png": picture}, "metadata": {}, "output_type": "display_data"}


def visible(cell):
    """What is compared: texts, and how many pictures there are. Their bytes depend on the version of matplotlib."""
    of = cell["outputs"]
    texts = ["".join(o.get("text", o.get("data", {}).get("text/plain", []))) for o in of]
    return "".join(texts), sum("image/png" in o.get("data", {}) for o in of)


def run(path, write):
    with open(path, encoding="utf-8") as file:
        book = json.load(file)
    names, same, count, here = {"__name__": "__main__"}, True, 0, os.getcwd()
    os.chdir(os.path.dirname(path) or ".")
    try:
        for cell in (c for c in book["cells"] if c["cell_type"] == "code"):
            count += 1
            kept = visible(cell)
            printed, value = said("".join(cell["source"]), names, f"{path}, cell {count}")
            cell["outputs"], cell["execution_count"] = list(outputs(printed, value, list(drawn()), count)), count
            if not write and visible(cell) != kept:
                same = False
                print(f"{path}, cell {count}: is kept as\n{kept[0]}and {kept[1]} pictures, and now gives\n{visible(cell)[0]}and {visible(cell)[1]}")
    finally:
        os.chdir(here)
    if write:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(book, file, indent=1, ensure_ascii=False)
            file.write("\n")
    return same


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("check", "write"):
        sys.exit(__doc__)
    sys.exit(not all([run(path, sys.argv[1] == "write") for path in sys.argv[2:]]))


if __name__ == "__main__":
    main()
