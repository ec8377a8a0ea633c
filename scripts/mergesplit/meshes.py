"""Meshes of other formats, for `shape: {mesh: {file: ..}}`, which reads OBJ, PLY and STL: `python3 -m mergesplit.meshes part.vtu part.ply`.

meshio reads them: Gmsh, VTK, Abaqus, Nastran, Medit, XDMF, CGNS and others. Of cells with a volume the surface is taken, otherwise the cells
of the surface; none of these formats says what its unit is, so look at the size that is printed, and give `scale` or `fit`.
"""

import collections
import os
import sys

import numpy as np

from .faults import Fault, reading

# Corners of the faces of cells; of those with nodes on their edges, such as tetra10, the corners come first.
SURFACES = {"triangle": [(0, 1, 2)], "quad": [(0, 1, 2, 3)]}
VOLUMES = {"tetra": [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)],
           "pyramid": [(0, 3, 2, 1), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)],
           "wedge": [(0, 2, 1), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5)],
           "hexahedron": [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]}


class Surface:
    """vertices: in units of the file, (n, 3); faces: their corners, counter-clockwise from outside; size: of the box around it, (3)."""

    def __init__(self, vertices, faces):
        used = np.unique(np.concatenate([np.asarray(face) for face in faces]))
        place = np.full(len(vertices), -1)
        place[used] = np.arange(len(used))
        self.vertices, self.faces = vertices[used], [tuple(int(place[corner]) for corner in face) for face in faces]
        self.size = np.ptp(self.vertices, axis=0)

    @property
    def closed(self):
        """Whether each edge has as many faces on one side as on the other."""
        edges = collections.Counter()
        for face in self.faces:
            for a, b in zip(face, face[1:] + face[:1]):
                edges[min(a, b), max(a, b)] += 1 if a < b else -1
        return not any(edges.values())


def faces_of(cells):
    """Faces of cells by their corners: those that one cell has alone, if there are volumes."""
    plain = [(kind.rstrip("0123456789"), rows) for kind, rows in cells]
    shapes = VOLUMES if any(kind in VOLUMES for kind, _ in plain) else SURFACES
    found = {}
    for kind, rows in plain:
        for corners in shapes.get(kind, ()):
            for face in np.asarray(rows)[:, corners].tolist():
                key = tuple(sorted(face))
                if shapes is VOLUMES and key in found:
                    del found[key]
                else:
                    found[key] = face
    return list(found.values())


def surface(path):
    """The surface in a file of any format that meshio reads."""
    try:
        import meshio
    except ImportError:
        raise Fault(f"{path}: needs meshio; pip install meshio (Debian: python3-meshio), or give an OBJ, PLY or STL file") from None
    if not os.path.exists(path):
        raise Fault(f"{path}: there is no such file")
    right = "a mesh that meshio reads would be right"
    with reading(path, right):
        try:
            read = meshio.read(path)
        except SystemExit:  # how meshio says so
            raise Fault(f"{path}: meshio cannot read it; {right}") from None
        points = np.asarray(read.points, dtype=float)
        vertices = np.zeros((len(points), 3))
        vertices[:, :points.shape[1]] = points
        faces = faces_of([(block.type, block.data) for block in read.cells])
    if not faces:
        raise Fault(f"{path}: has no triangles, quadrilaterals or cells with a volume")
    return Surface(vertices, faces)


def convert(path, target):
    """Writes the surface of a file as PLY, with every digit of its coordinates, and returns it."""
    if not os.fspath(target).endswith(".ply"):
        raise Fault(f"{target}: is written as PLY; give it a name that ends in .ply")
    made = surface(path)
    with open(f"{target}.new", "w", encoding="ascii") as file:
        file.write(f"ply\nformat ascii 1.0\nelement vertex {len(made.vertices)}\nproperty double x\nproperty double y\nproperty double z\n"
                   f"element face {len(made.faces)}\nproperty list uchar int vertex_indices\nend_header\n")
        file.writelines(f"{x!r} {y!r} {z!r}\n" for x, y, z in made.vertices.tolist())
        file.writelines(f"{len(face)} {' '.join(map(str, face))}\n" for face in made.faces)
    os.replace(f"{target}.new", target)
    return made


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.splitlines()[0])
    try:
        made = convert(*sys.argv[1:])
    except Fault as fault:
        print(f"meshes: {fault}", file=sys.stderr)
        sys.exit(2)
    print(f"{sys.argv[2]}: {len(made.faces)} faces, {len(made.vertices)} vertices, {' x '.join(f'{x:.4g}' for x in made.size)} units of the file, "
          f"{'closed' if made.closed else 'open: for sampling.method: vertices alone'}")


if __name__ == "__main__":
    main()
