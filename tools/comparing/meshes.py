"""Tetrahedral meshes for the comparison: to Gmsh's format 2.2, which every program reads, and what that file holds."""

import ctypes
import ctypes.util
from dataclasses import dataclass

import numpy as np

from common.failure import Failure


TRIANGLE, TETRAHEDRON = 2, 4  # Gmsh's numbers of the shapes
NODES_OF = {1: 2, TRIANGLE: 3, TETRAHEDRON: 4, 15: 1}
PATHS_OF_A_CUBE = [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]


@dataclass
class Mesh:
    points: np.ndarray  # (n, 3) [m]
    tetrahedra: np.ndarray  # (n, 4) rows of points
    patches: dict  # triangles (n, 3) of each named part of the boundary
    numbers: dict  # that Gmsh gives these parts

    def cell_centres(self):
        return self.points[self.tetrahedra].mean(axis=1)

    def cell_volumes(self):
        a, b, c, d = (self.points[self.tetrahedra[:, i]] for i in range(4))
        return np.abs(np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a)) / 6


def read(path, name=None):
    """The mesh in a file of format 2.2, ASCII. `name`: what messages call it."""
    name = name or path.name
    text = path.read_text()

    def section(title):
        start = text.find(f"${title}\n")
        end = text.find(f"$End{title}", start)
        if start < 0 or end < 0:
            raise Failure(f"{name}: there is no section ${title}")
        return text[start + len(title) + 2 : end]

    names = {}
    for line in section("PhysicalNames").splitlines()[1:]:
        dimension, number, quoted = line.split(maxsplit=2)
        names[int(dimension), int(number)] = quoted.strip().strip('"')
    nodes = np.fromstring(section("Nodes"), sep=" ")[1:].reshape(-1, 4)
    row_of = np.full(int(nodes[:, 0].max()) + 1, -1)
    row_of[nodes[:, 0].astype(int)] = np.arange(len(nodes))
    shapes = read_elements(name, np.fromstring(section("Elements"), sep=" ", dtype=np.int64)[1:])
    if not len(shapes[TETRAHEDRON]):
        raise Failure(f"{name}: there are no tetrahedra; expected a mesh in 3D")
    triangles, tetrahedra = shapes[TRIANGLE], shapes[TETRAHEDRON]
    numbers = {names.get((2, number), str(number)): int(number) for number in np.unique(triangles[:, 0])}
    patches = {patch: row_of[triangles[triangles[:, 0] == number, 1:]] for patch, number in numbers.items()}
    return Mesh(nodes[:, 1:].copy(), row_of[tetrahedra[:, 1:]], patches, numbers)


def read_elements(name, words):
    """Rows of (group, nodes...) of triangles and of tetrahedra, from `number shape tags group ... nodes ...`."""
    found = {TRIANGLE: [np.empty((0, 4), dtype=int)], TETRAHEDRON: [np.empty((0, 5), dtype=int)]}
    at = 0
    while at < len(words):
        shape, tags = words[at + 1 : at + 3]
        if shape not in NODES_OF:
            raise Failure(f"{name}: an element of Gmsh's shape {shape}; expected tetrahedra of four nodes")
        width = 3 + tags + NODES_OF[shape]
        rows = words[at : at + (len(words) - at) // width * width].reshape(-1, width)
        other = np.flatnonzero((rows[:, 1] != shape) | (rows[:, 2] != tags))
        rows = rows[: other[0]] if len(other) else rows  # those that follow are of another shape
        if shape in found:
            found[shape].append(rows[:, [3, *range(3 + tags, width)]])
        at += rows.size
    return {shape: np.concatenate(rows) for shape, rows in found.items()}


def is_format_2(path):
    with open(path, "rb") as file:
        return path.suffix == ".msh" and file.readline().strip() == b"$MeshFormat" and file.readline().startswith(
            b"2.2 0")


def write_format_2(source, result, size=None):
    """Meshes a .geo, or reads any mesh that Gmsh reads, and writes it in format 2.2. `size`: the constant `lc`."""
    library = ctypes.util.find_library("gmsh")
    if library is None:
        raise Failure(f"{source} needs Gmsh's library to be read (Debian, Ubuntu: apt-get install libgmsh-dev)")
    gmsh = ctypes.CDLL(library)
    words = [b"gmsh", *([] if size is None else [b"-setnumber", b"lc", repr(size).encode()])]
    error = ctypes.c_int(0)

    def call(name, *arguments):
        getattr(gmsh, name)(*arguments, ctypes.byref(error))
        if error.value != 0:
            raise Failure(f"Gmsh cannot read or mesh {source}: {last_error(gmsh)} ({name})")

    call("gmshInitialize", len(words), (ctypes.c_char_p * len(words))(*words), 0)
    try:
        for option, value in (("General.Terminal", 0), ("General.NumThreads", 1), ("Mesh.MshFileVersion", 2.2),
                              ("Mesh.Binary", 0), ("Mesh.SaveAll", 0)):
            call("gmshOptionSetNumber", option.encode(), ctypes.c_double(value))
        call("gmshOpen", str(source).encode())
        if source.suffix == ".geo":
            call("gmshModelMeshGenerate", 3)
        call("gmshWrite", str(result).encode())
    finally:
        gmsh.gmshFinalize(ctypes.byref(ctypes.c_int(0)))


def last_error(gmsh):
    text = ctypes.c_char_p()
    gmsh.gmshLoggerGetLastError(ctypes.byref(text), ctypes.byref(ctypes.c_int(0)))
    return text.value.decode(errors="replace") if text.value else "no reason given"


def write_cube(cells, result):
    """The unit cube of 6 cells^3 tetrahedra: hot at x = 0, cold at x = 1, so that T = 1 - x, which P1 has exactly."""
    side = cells + 1
    corner = np.stack(np.meshgrid(*[np.arange(cells)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    points = np.stack(np.meshgrid(*[np.linspace(0, 1, side)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)

    def number(place):
        return 1 + (place[:, 0] * side + place[:, 1]) * side + place[:, 2]

    unit = np.eye(3, dtype=int)
    tetrahedra = []
    for i, j, k in PATHS_OF_A_CUBE:
        walk = [corner, corner + unit[i], corner + unit[i] + unit[j], corner + 1]
        if np.linalg.det(unit[[i, j, k]]) < 0:
            walk[1], walk[2] = walk[2], walk[1]
        tetrahedra.append(np.stack([number(place) for place in walk], axis=1))
    tetrahedra = np.concatenate(tetrahedra)
    faces = np.concatenate([tetrahedra[:, pick] for pick in ([0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2])])
    where = points[faces - 1]
    on = {side: np.all(where[:, :, side // 2] == side % 2, axis=1) for side in range(6)}  # x = 0, x = 1, y = 0, ...
    groups = [(2, 1, "hot", faces[on[0]]), (2, 2, "cold", faces[on[1]]),
              (2, 3, "wall", faces[on[2] | on[3] | on[4] | on[5]]), (3, 4, "body", tetrahedra)]
    write(result, points, groups)


def write(path, points, groups):
    """Format 2.2 from points and groups of (dimension, number, name, elements with nodes counted from 1)."""
    with open(path, "w") as file:
        file.write(f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n{len(groups)}\n")
        file.writelines(f'{dimension} {number} "{name}"\n' for dimension, number, name, _ in groups)
        file.write(f"$EndPhysicalNames\n$Nodes\n{len(points)}\n")
        file.writelines(f"{i} {x!r} {y!r} {z!r}\n" for i, (x, y, z) in enumerate(points.tolist(), 1))
        file.write(f"$EndNodes\n$Elements\n{sum(len(elements) for *_, elements in groups)}\n")
        tag = 0
        for dimension, number, _, elements in groups:
            shape = {2: TRIANGLE, 3: TETRAHEDRON}[dimension]
            for nodes in elements.tolist():
                tag += 1
                file.write(f"{tag} {shape} 2 {number} {number} {' '.join(map(str, nodes))}\n")
        file.write("$EndElements\n")
