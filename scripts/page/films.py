"""The film of an experiment, as `make film` made it: runs side by side, which the page plays or, if it is a GIF, links to."""

import os

MOST_RUNS = 32  # of a film whose panels can be told from each other


class Film:
    """path: of the film, beside the page; still: of a picture from its middle; plays: whether browsers play it with controls."""

    def __init__(self, path, still):
        self.path, self.still = path, still
        self.plays = path.endswith(".mp4")


def film_of(pictures, name):
    still = f"{name}-film.png"
    for path in (f"{name}.mp4", f"{name}.gif"):
        if all(os.path.exists(os.path.join(pictures, file)) for file in (path, still)):
            return Film(path, still)
    return None


def could_be_filmed(runs):
    return 0 < len(runs) <= MOST_RUNS
