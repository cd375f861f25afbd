"""Meshes for the comparisons: conversion to Gmsh's format 2.2, which every program reads, and its contents."""

import ctypes
import ctypes.util
from dataclasses import dataclass

import numpy as np

from common.failure import Failure


LINE, TRIANGLE, QUADRANGLE, TETRAHEDRON, PRISM, POINT = 1, 2, 3, 4, 6, 15  # Gmsh's numbers of the shapes
NODES_OF = {LINE: 2, TRIANGLE: 3, TETRAHEDRON: 4, POINT: 1}  # of the shapes read
SHAPE_OF = {(2, 3): TRIANGLE, (2, 4): QUADRANGLE, (3, 4): TETRAHEDRON, (3, 6): PRISM}  # by dimension and nodes
CELLS = {2: (LINE, TRIANGLE, "triangles"), 3: (TRIANGLE, TETRAHEDRON, "tetrahedra")}  # sides, cells, their name
PATHS_OF_A_CUBE = [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]


@dataclass
class Mesh:
    points: np.ndarray  # (n, 3) [m]
    cells: np.ndarray  # triangles (n, 3) or tetrahedra (n, 4): point indices
    patches: dict  # sides (n, 2) or (n, 3) of each patch
    numbers: dict  # Gmsh's numbers of the patches

    def cell_centres(self):
        return self.points[self.cells].mean(axis=1)


def read(path, name=None, dimension=3):
    """The mesh in a file of format 2.2, ASCII. `name`: for messages."""
    name = name or path.name
    side, cell, word = CELLS[dimension]
    text = path.read_text()

    def section(title):
        start = text.find(f"${title}\n")
        end = text.find(f"$End{title}", start)
        if start < 0 or end < 0:
            raise Failure(f"{name}: there is no section ${title}")
        return text[start + len(title) + 2 : end]

    names = {}
    for line in section("PhysicalNames").splitlines()[1:]:
        of, number, quoted = line.split(maxsplit=2)
        names[int(of), int(number)] = quoted.strip().strip('"')
    nodes = np.fromstring(section("Nodes"), sep=" ")[1:].reshape(-1, 4)
    row_of = np.full(int(nodes[:, 0].max()) + 1, -1)
    row_of[nodes[:, 0].astype(int)] = np.arange(len(nodes))
    shapes = read_elements(name, np.fromstring(section("Elements"), sep=" ", dtype=np.int64)[1:])
    if not len(shapes[cell]):
        raise Failure(f"{name}: there are no {word}; expected a mesh in {dimension}D")
    sides = shapes[side]
    numbers = {names.get((dimension - 1, number), str(number)): int(number) for number in np.unique(sides[:, 0])}
    patches = {patch: row_of[sides[sides[:, 0] == number, 1:]] for patch, number in numbers.items()}
    return Mesh(nodes[:, 1:].copy(), row_of[shapes[cell][:, 1:]], patches, numbers)


def read_elements(name, words):
    """Rows of (group, nodes...) by shape, parsed from `number shape tags group ... nodes ...`."""
    found = {shape: [np.empty((0, 1 + count), dtype=int)] for shape, count in NODES_OF.items()}
    at = 0
    while at < len(words):
        shape, tags = words[at + 1 : at + 3]
        if shape not in NODES_OF:
            raise Failure(f"{name}: an element of Gmsh's shape {shape}; expected triangles of three nodes "
                          "or tetrahedra of four")
        width = 3 + tags + NODES_OF[shape]
        rows = words[at : at + (len(words) - at) // width * width].reshape(-1, width)
        other = np.flatnonzero((rows[:, 1] != shape) | (rows[:, 2] != tags))
        rows = rows[: other[0]] if len(other) else rows  # the rest has other shapes
        found[shape].append(rows[:, [3, *range(3 + tags, width)]])
        at += rows.size
    return {shape: np.concatenate(rows) for shape, rows in found.items()}


def is_format_2(path):
    with open(path, "rb") as file:
        return path.suffix == ".msh" and file.readline().strip() == b"$MeshFormat" and file.readline().startswith(
            b"2.2 0")


def write_format_2(source, result, size=None):
    """Meshes a .geo, or reads any mesh known to Gmsh, and writes format 2.2. `size`: the constant `lc`."""
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
    """The unit cube of 6 cells^3 tetrahedra: hot at x = 0, cold at x = 1, so that T = 1 - x, exact in P1."""
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


def write_layer(mesh, depth, result):
    """One layer of prisms over the triangles of a mesh in the x-y plane, for programs in 3D only. Patches become
    quadrangles; front and back are in no group."""
    count = len(mesh.points)
    points = np.concatenate([mesh.points, mesh.points + [0, 0, depth]])
    patches = [(2, mesh.numbers[name], name, 1 + np.hstack([sides, count + sides[:, ::-1]]))
               for name, sides in mesh.patches.items()]
    prisms = 1 + np.hstack([mesh.cells, count + mesh.cells])
    write(result, points, [*patches, (3, 1 + max(mesh.numbers.values()), "body", prisms)])


def write(path, points, groups):
    """Writes format 2.2 from points and groups of (dimension, number, name, elements with nodes counted from 1)."""
    with open(path, "w") as file:
        file.write(f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n{len(groups)}\n")
        file.writelines(f'{dimension} {number} "{name}"\n' for dimension, number, name, _ in groups)
        file.write(f"$EndPhysicalNames\n$Nodes\n{len(points)}\n")
        file.writelines(f"{i} {x!r} {y!r} {z!r}\n" for i, (x, y, z) in enumerate(points.tolist(), 1))
        file.write(f"$EndNodes\n$Elements\n{sum(len(elements) for *_, elements in groups)}\n")
        tag = 0
        for dimension, number, _, elements in groups:
            shape = SHAPE_OF[dimension, elements.shape[1]]
            for nodes in elements.tolist():
                tag += 1
                file.write(f"{tag} {shape} 2 {number} {number} {' '.join(map(str, nodes))}\n")
        file.write("$EndElements\n")
