"""Writes polyMesh folders as OpenFOAM does, in text and binary."""

import struct

HEADER = """FoamFile
{{
    version     2.0;
    format      {format};
    class       {kind};
    arch        "LSB;label=32;scalar=64";
    location    "constant/polyMesh";
    object      {name};
}}
// * * * * * * * * * * * * * //

"""


class PolyMesh:
    """Cells by their faces, each a tuple of point numbers, anticlockwise from outside; faces are found again by their points."""

    def __init__(self, points):
        self.points = points
        self.cells = []     # faces of each cell
        self.patches = {}   # name: (type, faces)
        self.zones = {}     # name: cells

    def ordered(self):
        """Faces, owner, neighbour: those between cells first."""
        seen = {}
        for cell, faces in enumerate(self.cells):
            for face in faces:
                seen.setdefault(frozenset(face), []).append((cell, face))
        inner = sorted((s for s in seen.values() if len(s) == 2), key=lambda s: (s[0][0], s[1][0]))
        assert all(len(s) <= 2 for s in seen.values())
        faces = [s[0][1] for s in inner]
        owner = [s[0][0] for s in inner]
        neighbour = [s[1][0] for s in inner]
        boundary = []
        for name, (kind, members) in self.patches.items():
            boundary.append((name, kind, len(members), len(faces)))
            for face in members:
                (cell, outward), = seen[frozenset(face)]
                faces.append(outward)
                owner.append(cell)
        assert len(faces) == len(seen), "a face of the boundary is in no patch"
        return faces, owner, neighbour, boundary

    def write(self, folder, binary=False):
        folder.mkdir(parents=True)
        faces, owner, neighbour, boundary = self.ordered()

        def put(name, kind, body, binary=binary):
            head = HEADER.format(format="binary" if binary else "ascii", kind=kind, name=name)
            (folder / name).write_bytes(head.encode() + body + b"\n")

        def labels(values):
            if binary:
                return b"%d\n(" % len(values) + struct.pack(f"<{len(values)}i", *values) + b")"
            return ("%d\n(\n" % len(values) + "\n".join(map(str, values)) + "\n)").encode()

        if binary:
            flat = [x for point in self.points for x in point]
            put("points", "vectorField", b"%d\n(" % len(self.points) + struct.pack(f"<{len(flat)}d", *flat) + b")")
            begin = [0]
            for face in faces:
                begin.append(begin[-1] + len(face))
            put("faces", "faceCompactList", labels(begin) + b"\n\n" + labels([n for face in faces for n in face]))
        else:
            put("points", "vectorField", ("%d\n(\n" % len(self.points) +
                                          "\n".join("(%.17g %.17g %.17g)" % p for p in self.points) + "\n)").encode())
            put("faces", "faceList", ("%d\n(\n" % len(faces) +
                                      "\n".join("%d(%s)" % (len(f), " ".join(map(str, f))) for f in faces) +
                                      "\n)").encode())
        put("owner", "labelList", labels(owner))
        put("neighbour", "labelList", labels(neighbour))
        text = "%d\n(\n" % len(boundary)
        for name, kind, count, start in boundary:
            text += (f"    {name}\n    {{\n        type            {kind};\n        inGroups        1(wall);\n"
                     f"        nFaces          {count};\n        startFace       {start};\n    }}\n")
        put("boundary", "polyBoundaryMesh", (text + ")").encode(), binary=False)
        if self.zones:
            body = b"%d\n(\n" % len(self.zones)
            for name, cells in self.zones.items():
                body += (f"{name}\n{{\n    type cellZone;\ncellLabels      List<label> ".encode() + labels(cells) +
                         b";\n}\n")
            put("cellZones", "regIOobject", body + b")")


HEX_FACES = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))


def box(counts, sizes=(1, 1, 1), warp=lambda x: x):
    """Hexahedra of a box as of blockMesh; patches x0, x1, y0, y1, z0, z1 of type wall."""
    nx, ny, nz = counts

    def node(i, j, k):
        return i + (nx + 1) * (j + (ny + 1) * k)

    mesh = PolyMesh([warp((sizes[0] * i / nx, sizes[1] * j / ny, sizes[2] * k / nz))
                     for k in range(nz + 1) for j in range(ny + 1) for i in range(nx + 1)])
    sides = {name: [] for name in ("x0", "x1", "y0", "y1", "z0", "z1")}
    for k in range(nz):
        for j in range(ny):
            for i in range(nx):
                corners = [node(i + a, j + b, k + c) for a, b, c in
                           ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))]
                faces = [tuple(corners[n] for n in face) for face in HEX_FACES]
                mesh.cells.append(faces)
                for name, is_there, face in (("x0", i == 0, 5), ("x1", i == nx - 1, 3), ("y0", j == 0, 2),
                                             ("y1", j == ny - 1, 4), ("z0", k == 0, 0), ("z1", k == nz - 1, 1)):
                    if is_there:
                        sides[name].append(faces[face])
    mesh.patches = {name: ("wall", faces) for name, faces in sides.items()}
    return mesh


def with_cut_cell(counts, cut):
    """The box in which one cell is cut into eight, as snappyHexMesh cuts: its neighbours become polyhedra with 7 or more faces."""
    mesh = box(counts)
    faces = mesh.cells[cut]
    lattice = {}

    def at(point):
        key = tuple(round(x, 12) for x in point)
        if not lattice:
            lattice.update({tuple(round(x, 12) for x in p): n for n, p in enumerate(mesh.points)})
        if key not in lattice:
            lattice[key] = len(mesh.points)
            mesh.points.append(point)
        return lattice[key]

    corners = sorted({n for face in faces for n in face}, key=lambda n: mesh.points[n][::-1])
    low, high = mesh.points[corners[0]], mesh.points[corners[-1]]
    step = [(h - l) / 2 for l, h in zip(low, high)]

    def node(i, j, k):
        return at((low[0] + i * step[0], low[1] + j * step[1], low[2] + k * step[2]))

    parts = []
    for k in range(2):
        for j in range(2):
            for i in range(2):
                corner = [node(i + a, j + b, k + c) for a, b, c in
                          ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))]
                parts.append([tuple(corner[n] for n in face) for face in HEX_FACES])
    middle = {}  # of edges
    quarters = {frozenset(face): [] for face in faces}
    for face in faces:
        for a, b in zip(face, face[1:] + face[:1]):
            middle[frozenset((a, b))] = at(tuple((x + y) / 2 for x, y in zip(mesh.points[a], mesh.points[b])))
        centre = at(tuple(sum(mesh.points[n][axis] for n in face) / 4 for axis in range(3)))
        for q in range(4):
            a, b, d = face[q], face[(q + 1) % 4], face[q - 1]
            quarters[frozenset(face)].append((a, middle[frozenset((a, b))], centre, middle[frozenset((a, d))]))

    def cut_edges(face):
        whole = []
        for a, b in zip(face, face[1:] + face[:1]):
            whole.append(a)
            if frozenset((a, b)) in middle:
                whole.append(middle[frozenset((a, b))])
        return tuple(whole)

    def replaced(face):
        if frozenset(face) in quarters:
            return [tuple(reversed(part)) for part in quarters[frozenset(face)]]
        return [cut_edges(face)]

    mesh.cells = [[new for face in cell for new in replaced(face)] for number, cell in enumerate(mesh.cells)
                  if number != cut] + parts
    mesh.patches = {name: (kind, [new for face in members for new in replaced(face)])
                    for name, (kind, members) in mesh.patches.items()}
    return mesh
