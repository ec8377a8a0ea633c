"""usage: contents.py FILE, or contents.py --into FOLDER FILE...: prints what counts in FILE, that is, without comments and formatting; or
writes it to FOLDER/FILE for each, where it is not what is there already, so that what depends on it keeps its time.

Of a Python file this is its syntax tree; of one that has a fault all of it, because what reads it will say so.
"""

import ast
import os
import re
import sys


def content_of(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if path.endswith(".py"):
        try:
            return ast.dump(ast.parse(text)) + "\n"
        except SyntaxError:
            return text
    if path.endswith(".pov"):
        return "".join(line for line in re.sub(r"//.*", "", text).splitlines(True) if line.strip())
    return "".join(line for line in text.splitlines(True) if not line.lstrip().startswith("#"))


def write(path, content):
    try:
        with open(path, encoding="utf-8") as file:
            if file.read() == content:
                return
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    new = f"{path}.{os.getpid()}"
    with open(new, "w", encoding="utf-8") as file:
        file.write(content)
    os.replace(new, path)


def main(argv):
    if argv[1] != "--into":
        sys.stdout.write(content_of(argv[1]))
        return
    for path in argv[3:]:
        write(os.path.join(argv[2], path), content_of(path))


main(sys.argv)
