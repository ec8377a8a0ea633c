"""usage: report.py SCALE RESULTS PICTURES: writes PICTURES/index.html, which says what of the paper holds, and shows every
experiment with its pictures, claims, curves and the command that makes it again (scripts/page/). The file is rewritten only
when its content changes. An experiment that was not run here is shown with the previews and values that the repository keeps.
"""

import os
import sys

from page.render import page


def main():
    scale, results, pictures = sys.argv[1:]
    os.makedirs(pictures, exist_ok=True)
    path = os.path.join(pictures, "index.html")
    new = page(scale, results, pictures)
    try:
        with open(path, encoding="utf-8") as file:
            if file.read() == new:
                return
    except FileNotFoundError:
        pass
    temporary = f"{path}.{os.getpid()}"
    with open(temporary, "w", encoding="utf-8") as file:
        file.write(new)
    os.replace(temporary, path)
    print(f"  wrote     {path}")


if __name__ == "__main__":
    main()
