"""A small square mesh, and a cube, in every .msh format, and ways to break it, for the tests of messages."""

import dataclasses
import itertools
import random
import struct

LINE, TRIANGLE, QUADRANGLE, TETRAHEDRON = 1, 2, 3, 4
DIMENSION = {LINE: 1, TRIANGLE: 2, QUADRANGLE: 2, TETRAHEDRON: 3}
FORMATS = ("2.2", "2.2 binary", "4.1", "4.1 binary")


@dataclasses.dataclass
class Element:
    id: int
    type: int
    group: int
    entity: int
    nodes: list


@dataclasses.dataclass
class Mesh:
    """What a file says; the fields named `..._told` are counts that a header gives in place of the true ones."""

    names: list  # (dimension, group, name)
    nodes: list  # [id, x, y, z]
    elements: list
    nodes_told: int = None
    elements_told: int = None
    order: str = "<"  # of bytes

    def node(self, id):
        return next(n for n in self.nodes if n[0] == id)

    def element(self, id):
        return next(e for e in self.elements if e.id == id)

    def add(self, type, group, entity, nodes):
        self.elements.append(Element(max(e.id for e in self.elements) + 1, type, group, entity, list(nodes)))

    def text(self, format):
        """The file in this format, as bytes."""
        return {"2.2": text_22, "2.2 binary": binary_22, "4.1": text_41, "4.1 binary": binary_41}[format](self)


def square(n=4, offset=(0, 0), first=1):
    """n x n squares of two triangles; node `first` + i + (n + 1) j at (i, j) / n; lines 1 to 4 n, then triangles."""
    at = lambda i, j: first + i + (n + 1) * j
    mesh = Mesh([(1, 1, "lid"), (1, 2, "wall"), (2, 3, "fluid")], [], [])
    for j in range(n + 1):
        mesh.nodes += [[at(i, j), offset[0] + i / n, offset[1] + j / n, 0] for i in range(n + 1)]
    sides = [(2, 2, at(i, 0), at(i + 1, 0)) for i in range(n)] + [(2, 2, at(n, i), at(n, i + 1)) for i in range(n)]
    sides += [(1, 1, at(i + 1, n), at(i, n)) for i in range(n)] + [(2, 2, at(0, i + 1), at(0, i)) for i in range(n)]
    mesh.elements = [Element(k + 1, LINE, g, e, [a, b]) for k, (g, e, a, b) in enumerate(sides)]
    for j in range(n):
        for i in range(n):
            mesh.add(TRIANGLE, 3, 1, [at(i, j), at(i + 1, j), at(i + 1, j + 1)])
            mesh.add(TRIANGLE, 3, 1, [at(i, j), at(i + 1, j + 1), at(i, j + 1)])
    return mesh


def cube(n=2):
    """n x n x n cubes of six tetrahedra, "lid" the side z = 1; node 1 + i + (n + 1) j + (n + 1)^2 k at (i, j, k) / n;
    tetrahedra first, then the boundary's triangles."""
    steps = (1, n + 1, (n + 1) ** 2)
    mesh = Mesh([(2, 1, "lid"), (2, 2, "wall"), (3, 3, "body")], [], [])
    for k, j, i in itertools.product(range(n + 1), repeat=3):
        mesh.nodes.append([len(mesh.nodes) + 1, i / n, j / n, k / n])
    faces = {}
    for k, j, i in itertools.product(range(n), repeat=3):
        first = 1 + i * steps[0] + j * steps[1] + k * steps[2]
        for a, b, _ in itertools.permutations(steps):  # along the edges from one corner to the opposite one
            nodes = [first, first + a, first + a + b, first + sum(steps)]
            mesh.elements.append(Element(len(mesh.elements) + 1, TETRAHEDRON, 3, 1, nodes))
            for face in itertools.combinations(nodes, 3):
                faces[face] = faces.get(face, 0) + 1
    for face in (face for face, cells in faces.items() if cells == 1):
        group = 1 if all(mesh.node(id)[3] == 1 for id in face) else 2
        mesh.add(TRIANGLE, group, group, face)
    return mesh


def two_squares(touch):
    """Two squares apart from each other, or touching at one corner."""
    mesh, other = square(), square(offset=(1, 1) if touch else (2, 0), first=101)
    shared = {101: 25} if touch else {}
    mesh.nodes += [n for n in other.nodes if n[0] not in shared]
    for e in other.elements:
        mesh.add(e.type, e.group, e.entity, [shared.get(n, n) for n in e.nodes])
    return mesh


def told(number, items):
    return len(items) if number is None else number


def names_section(mesh):
    lines = [f'{d} {g} "{name}"' for d, g, name in mesh.names]
    return "\n".join(["$PhysicalNames", str(len(lines)), *lines, "$EndPhysicalNames", ""])


def join(lines):
    return ("\n".join(map(str, lines)) + "\n").encode()


def text_22(mesh):
    nodes = [" ".join(map(str, n)) for n in mesh.nodes]
    elements = [" ".join(map(str, [e.id, e.type, 2, e.group, e.entity, *e.nodes])) for e in mesh.elements]
    return join(["$MeshFormat", "2.2 0 8", "$EndMeshFormat"]) + names_section(mesh).encode() + join(
        ["$Nodes", told(mesh.nodes_told, nodes), *nodes, "$EndNodes",
         "$Elements", told(mesh.elements_told, elements), *elements, "$EndElements"])


def binary_head(mesh, version):
    one = struct.pack(mesh.order + "i", 1)
    return f"$MeshFormat\n{version} 1 8\n".encode() + one + b"\n$EndMeshFormat\n" + names_section(mesh).encode()


def binary_22(mesh):
    out = binary_head(mesh, "2.2") + f"$Nodes\n{told(mesh.nodes_told, mesh.nodes)}\n".encode()
    for n in mesh.nodes:
        out += struct.pack(mesh.order + "i3d", *n)
    out += f"\n$EndNodes\n$Elements\n{told(mesh.elements_told, mesh.elements)}\n".encode()
    for type in sorted({e.type for e in mesh.elements}):
        block = [e for e in mesh.elements if e.type == type]
        out += struct.pack(mesh.order + "3i", type, len(block), 2)
        for e in block:
            out += struct.pack(f"{mesh.order}{3 + len(e.nodes)}i", e.id, e.group, e.entity, *e.nodes)
    return out + b"\n$EndElements\n"


def parts_41(mesh):
    """Entities as {(dimension, entity): groups}, and elements by (dimension, entity, type)."""
    entities, blocks = {}, {}
    for e in mesh.elements:
        groups = entities.setdefault((DIMENSION[e.type], e.entity), [])
        if e.group and e.group not in groups:
            groups.append(e.group)
        blocks.setdefault((DIMENSION[e.type], e.entity, e.type), []).append(e)
    return entities, blocks


def text_41(mesh):
    entities, blocks = parts_41(mesh)
    lines = ["$MeshFormat", "4.1 0 8", "$EndMeshFormat"] + names_section(mesh).splitlines()
    lines += ["$Entities", " ".join(str(sum(d == k for k, _ in entities)) for d in range(4))]
    for (d, entity), groups in sorted(entities.items()):
        lines.append(" ".join(map(str, [entity, 0, 0, 0, 1, 1, 0, len(groups), *groups, 0])))
    home = max(entities)
    ids = [n[0] for n in mesh.nodes]
    lines += ["$EndEntities", "$Nodes", f"1 {told(mesh.nodes_told, ids)} {min(ids)} {max(ids)}"]
    lines += [f"{home[0]} {home[1]} 0 {len(ids)}", *ids, *(" ".join(map(str, n[1:])) for n in mesh.nodes), "$EndNodes"]
    ids = [e.id for e in mesh.elements]
    lines += ["$Elements", f"{len(blocks)} {told(mesh.elements_told, ids)} {min(ids)} {max(ids)}"]
    for (d, entity, type), block in blocks.items():
        lines += [f"{d} {entity} {type} {len(block)}", *(" ".join(map(str, [e.id, *e.nodes])) for e in block)]
    return join(lines + ["$EndElements"])


def binary_41(mesh):
    entities, blocks = parts_41(mesh)
    pack = lambda kinds, *values: struct.pack(mesh.order + kinds, *values)
    out = binary_head(mesh, "4.1") + b"$Entities\n" + pack("4Q", *(sum(d == k for k, _ in entities) for d in range(4)))
    for (d, entity), groups in sorted(entities.items()):
        out += pack(f"i6dQ{len(groups)}iQ", entity, 0, 0, 0, 1, 1, 0, len(groups), *groups, 0)
    home = max(entities)
    ids = [n[0] for n in mesh.nodes]
    out += b"\n$EndEntities\n$Nodes\n" + pack("4Q", 1, told(mesh.nodes_told, ids), min(ids), max(ids))
    out += pack("3iQ", *home, 0, len(ids)) + pack(f"{len(ids)}Q", *ids)
    out += b"".join(pack("3d", *n[1:]) for n in mesh.nodes)
    ids = [e.id for e in mesh.elements]
    out += b"\n$EndNodes\n$Elements\n" + pack("4Q", len(blocks), told(mesh.elements_told, ids), min(ids), max(ids))
    for (d, entity, type), block in blocks.items():
        out += pack("3iQ", d, entity, type, len(block))
        out += b"".join(pack(f"{1 + len(e.nodes)}Q", e.id, *e.nodes) for e in block)
    return out + b"\n$EndElements\n"


def damaged(content, seed):
    """The file with one to four random faults: changed bytes, numbers, lines or lengths."""
    rng = random.Random(seed)
    data = bytearray(content)
    for _ in range(rng.randint(1, 4)):
        at, kind = rng.randrange(len(data)), rng.randrange(7)
        if kind == 0:
            data[at] = rng.randrange(256)
        elif kind == 1:
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 2:
            data[at:at + rng.randint(1, 12)] = b""
        elif kind == 3:
            data[at:at] = bytes(rng.randrange(256) for _ in range(rng.randint(1, 12)))
        elif kind == 4:  # a number of 4 or 8 bytes, often an extreme one
            size = rng.choice((4, 8))
            number = rng.choice((0, 1, -1, 2**31 - 1, -2**31, 2**40, 2**63 - 1, rng.randrange(100)))
            data[at:at + size] = (number % 256**size).to_bytes(size, "little")
        elif kind == 5:  # digits
            data[at:at + 1] = str(rng.choice((0, -1, 7, 99, 10**10, 10**30, "nan", "1e400"))).encode()
        else:
            end = min(len(data), at + rng.randint(1, 80))
            other = rng.randrange(len(data))
            data[other:other] = data[at:end]
        if not data:
            data = bytearray(b"$")
    return bytes(data)
