"""The orthographic camera of a scene for POV-Ray, and the walls of a run as it would see them: lines that are drawn behind its picture."""

import itertools
import re

import numpy as np

VECTOR = r"<\s*([-\d.]+)\s*,\s*([-\d.]+)\s*,\s*([-\d.]+)\s*>"


def _vector(text, before):
    found = re.search(before + VECTOR, text)
    return np.array([float(number) for number in found.groups()]) if found else None


class Camera:
    """height: meters from the lower to the upper edge of the picture; None if the camera is not orthographic, and then it has nothing else."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        found = re.search(r"camera \{\s*orthographic\b[^}]*\bup y \* ([\d.]+)", text)
        self.height = float(found.group(1)) if found else None
        if not found:
            return
        self.middle = _vector(text, r"look_at\s*")
        towards = _vector(text, r"location[^\n]*vnormalize\(")
        if towards is None:
            towards = _vector(text, r"location\s*") - self.middle
        self.towards = towards / np.linalg.norm(towards)
        self.right = np.cross([0, 0, 1], self.towards)
        self.right /= np.linalg.norm(self.right)
        self.up = np.cross(self.towards, self.right)

    def seen(self, points):
        """Meters to the right of the middle of the picture, and up."""
        return np.stack([(points - self.middle) @ self.right, (points - self.middle) @ self.up], axis=-1)

    def far_edges(self, low, high):
        """The edges (n, 2 ends, 2) of the faces of a box whose inside is seen: what is in front of all else would only hide it."""
        edges = []
        for axis in range(3):
            others = [k for k in range(3) if k != axis]
            for ends in itertools.product((0, 1), repeat=2):
                if any((end == 0) == (self.towards[k] > 0) for k, end in zip(others, ends) if self.towards[k]):
                    edge = np.array([low, high])
                    for k, end in zip(others, ends):
                        edge[:, k] = (low, high)[end][k]
                    edges.append(edge)
        return self.seen(np.array(edges))


def boxes(config):
    """(low, high) of the walls of an effective configuration that are upright boxes which keep bodies inside."""
    for key, size in config.items():
        found = re.fullmatch(r"walls\.([^.]+)\.shape\.box\.size", key)
        wall = f"walls.{found.group(1)}." if found else ""
        if found and config.get(wall + "keep") == "inside" and not config.get(wall + "rotation.degrees"):
            place, size = np.array(config.get(wall + "position", (0, 0, 0)), dtype=float), np.array(size, dtype=float)
            center = np.array(config.get(wall + "shape.box.center", (0, 0, 0)), dtype=float)
            yield place + center - size / 2, place + center + size / 2
