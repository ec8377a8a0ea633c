"""Particles that are near each other, found by a grid of cells, in plain Python: claims read no module that takes longer to start."""

import itertools
import math
from collections import defaultdict

AROUND = tuple(itertools.product((-1, 0, 1), repeat=3))
AHEAD = [step for step in AROUND if step > (0, 0, 0)]


class Nearby:
    """Points, and which of them are nearer than `reach`."""

    def __init__(self, points, reach):
        self.points, self.reach = points, reach
        self._cells = defaultdict(list)
        for i, x in enumerate(points):
            self._cells[self._cell(x)].append(i)

    def _cell(self, x):
        return tuple(math.floor(c / self.reach) for c in x)

    def _in(self, cell, steps):
        a, b, c = cell
        return [j for x, y, z in steps for j in self._cells.get((a + x, b + y, c + z), ())]

    def of(self, x):
        """(index, distance) of the points near a place, one that lies there included."""
        found = ((j, math.dist(x, self.points[j])) for j in self._in(self._cell(x), AROUND))
        return [(j, distance) for j, distance in found if distance < self.reach]

    def pairs(self):
        """(i, j, distance) of all pairs."""
        found = []
        for cell, own in list(self._cells.items()):
            ahead = self._in(cell, AHEAD)
            for k, i in enumerate(own):
                x = self.points[i]
                for j in own[k + 1:] + ahead:
                    distance = math.dist(x, self.points[j])
                    if distance < self.reach:
                        found.append((i, j, distance))
        return found
