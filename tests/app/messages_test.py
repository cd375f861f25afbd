"""Every kind of message that wrong input and failing computations are answered with, as a table. Each row is run on 1
and on 3 ranks: exit code, one message that has all that is expected in it, nothing else on the screen, no result folder,
bounded time and memory. And meshes with random damage, which are read or refused."""

import argparse
import concurrent.futures
import dataclasses
import os
import re
import resource
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

from broken_meshes import FORMATS, LINE, QUADRANGLE, TETRAHEDRON, TRIANGLE, cube, damaged, square, two_squares

ROOT = Path(__file__).resolve().parents[2]
MOST_SECONDS = 60  # of processor time, of all ranks of a run; tests/support/mpiexec kills a rank that goes on
PATIENCE = 600  # s, by the clock, of a busy machine: what sleeps for ever is ended then
MOST_BYTES = 600e6  # of a rank
MOST_ADDRESSES = 16 << 30
DAMAGED_PER_FORMAT = 15
CASE = """[mesh]
file = "mesh.msh"
[flow]
viscosity = 0.01
[time]
end = 0.02
step = 0.01
[boundary.lid]
type = "wall"
velocity = [1, 0, 0]
[boundary.wall]
type = "wall"
"""
HEAT = """[mesh]
file = "mesh.msh"
[heat]
conductivity = 50
[boundary.lid]
type = "temperature"
value = 300
[boundary.wall]
type = "insulated"
"""
TRANSIENT = HEAT.replace("= 50\n", "= 50\nheat_capacity = 1e5\n") + """[time]
end = 0.03
step = 0.01
[initial]
temperature = 290
"""
WATER_WAVES = """[mesh]
file = "mesh.msh"
[waves]
depth = 1
period = 2
[boundary.lid]
type = "open"
[boundary.wall]
type = "quay"
[time]
end = 0.02
step = 0.01
"""
PERIODIC = """[mesh]
file = "mesh.geo"
size = 0.2
[flow]
viscosity = 0.01
[time]
end = 0.02
step = 0.01
[[periodic]]
patches = ["left", "right"]
[[periodic]]
patches = ["bottom", "top"]
"""
PERIODIC_CUBE_CASE = """\
title = "flux"
[mesh]
file = "mesh.geo"
size = 1.5
[flow]
viscosity = 0.01
[time]
end = 0.1
step = 0.1
[[periodic]]
patches = ["left", "right"]
mass_flux = 1
[boundary.bottom]
type = "inlet"
velocity = [0, 1, 0]
[boundary.top]
type = "outlet"
[boundary.back]
type = "wall"
[boundary.front]
type = "wall"
"""
PERIODIC_SQUARE = {"mesh.geo": (ROOT / "meshes" / "periodic-square.geo").read_bytes()}
TWO_TEETH = b"""DefineConstant[ lc = 0.2 ];
Point(1) = {0, 0, 0, lc}; Point(2) = {1, 0, 0, lc}; Point(3) = {1, 1, 0, lc}; Point(4) = {0, 1, 0, lc};
Point(5) = {0, 0.5, 0, lc}; Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 5}; Line(5) = {5, 1};
Curve Loop(1) = {1 : 5}; Plane Surface(1) = {1}; Physical Curve("left") = {5}; Physical Curve("right") = {4};
Physical Curve("wall") = {1 : 3}; Physical Surface("fluid") = {1};
"""
options = None


@dataclasses.dataclass
class Row:
    """One kind of message: what is wrong, and regular expressions that the answer has to match."""

    name: str
    expected: list
    case: str = CASE
    sets: tuple = ()
    files: dict = dataclasses.field(default_factory=dict)  # name: content, beside case.toml
    words: tuple = ()  # in place of `run case.toml --output out`
    code: int = 2
    on_the_way: bool = False  # after the result folder was made


def case(*replacements, text=CASE):
    """The case with some of its text replaced; an empty first text adds the second at the end."""
    for old, new in replacements:
        assert old in text, old
        text = text.replace(old, new) if old else text + new
    return text


def mesh(change, format="2.2", made=square):
    """The files of a mesh that `change` has broken: it may change the mesh in place, or return the file's content."""
    broken = made()
    content = change(broken)
    return {"mesh.msh": content if isinstance(content, bytes) else broken.text(format)}


def replaced(old, new, format="4.1"):
    content = square().text(format)
    assert old in content, old
    return {"mesh.msh": content.replace(old, new, 1)}


def setting(name, value):
    return lambda m: setattr(m, name, value)


# --- the case file, expressions, --set and options -------------------------------------------------------------------
CASE_ROWS = [
    Row("unknown key", [r"unknown key `viscocity` in \[flow\] \(.*case.toml:5\): did you mean `viscosity`\?"],
        case(("viscosity = 0.01\n", "viscosity = 0.01\nviscocity = 1\n"))),
    Row("unknown table", [r"unknown table `\[bondary\]` \(.*case.toml:13\): did you mean `boundary`\?"],
        case(("", "[bondary]\n"))),
    Row("unknown array of tables", [r"unknown table `\[\[lines\]\]` \(.*case.toml:13\): did you mean `line`\?"],
        case(("", "[[lines]]\n"))),
    Row("missing key", [r"missing key `viscosity` in \[flow\] \(.*case.toml:3\): expected a number greater than 0"],
        case(("viscosity = 0.01\n", ""))),
    Row("missing table", [r"missing table \[flow\] \(.*case.toml\): expected `viscosity`"],
        case(("[flow]\nviscosity = 0.01\n", ""))),
    Row("a law of the viscosity that is none", [r'`law` in \[flow.viscosity\] \(.*case.toml:4\): found "casson", expected "power-law", "carreau", "cross" or "bingham"'],
        case(("viscosity = 0.01\n", 'viscosity = { law = "casson" }\n'))),
    Row("a viscosity of no temperature", [r'`viscosity` in \[flow\] \(.*case.toml:4\): found "0.01\*T", expected a number greater than 0, or a table'],
        case(("viscosity = 0.01\n", 'viscosity = "0.01*T"\n'))),
    Row("skew convection of a law in the plane", [r'diffusion = "stress" and convection = "skew" are for tetrahedra: .*; where the viscosity varies, triangles have "stress", too'],
        case(("viscosity = 0.01\n", 'viscosity = { law = "carreau", zero = 1, infinite = 0.1, time = 1, exponent = 0.5 }\nconvection = "skew"\n'))),
    Row("a law of the wall on no wall", [r"`wall` in \[boundary.lid\] .*is for walls"],
        case(('[boundary.lid]\ntype = "wall"\nvelocity = [1, 0, 0]', '[boundary.lid]\nwall = "log-law"\ntype = "symmetry"'))),
    Row("a wall with a law that moves", [r"`velocity` in \[boundary.lid\] .*is not for wall = \"log-law\": such a wall is at rest"],
        case(('[boundary.lid]\n', '[boundary.lid]\nwall = "log-law"\n'))),
    Row("a roughness below zero", [r"`roughness` in \[boundary.wall\] .*found -0.1, expected a number of at least 0"],
        case(("", 'wall = "log-law"\nroughness = -0.1\n'))),
    Row("a roughness of a wall that sticks", [r"`roughness` in \[boundary.wall\] .*belongs to wall = \"log-law\""],
        case(("", "roughness = 0.1\n"))),
    Row("a law of the wall beside one of the viscosity", [r"`\[flow.viscosity\]` .*expected a number: wall = \"log-law\" in \[boundary.wall\] is that of one viscosity"],
        case(("viscosity = 0.01\n", 'viscosity = { law = "carreau", zero = 1, infinite = 0.1, time = 1, exponent = 0.5 }\n'), ("", 'wall = "log-law"\n'))),
    Row("a temperature of a wall with a law", [r"`temperature` in \[boundary.wall\] .*expected `temperature_flux` on a wall with wall = \"log-law\""],
        case(("", 'wall = "log-law"\ntemperature = 300\n[temperature]\ndiffusivity = 0.1\n[initial]\ntemperature = 300\n'))),
    Row("averaged equations", [r'`model` in \[turbulence\] \(.*\): "k-omega-sst" is a model of averaged equations: this program resolves the large eddies in time'],
        case(("[time]", '[turbulence]\nmodel = "k-omega-sst"\n[time]'))),
    Row("eddies in the plane", [r'`model` in \[turbulence\]: .* take a mesh of tetrahedra, or "none"'],
        case(("[time]", '[turbulence]\nmodel = "sigma"\n[time]'))),
    Row("a zone of no group", [r'case.toml: \[zone.filter\]: `region`: the mesh has no volume group `core`'],
        case(("[time]", '[zone.filter]\nregion = "core"\ndarcy = 1\n[time]'))),
    Row("a zone beside the mesh", [r'\[zone.filter\]: no cell of the mesh of the run has its centroid in the ball of radius 0.1 m around \(9, 9\) m: enlarge it, or refine the mesh there'],
        case(("[time]", '[zone.filter]\nball = { centre = [9, 9, 0], radius = 0.1 }\ndarcy = 1\n[time]'))),
    Row("a zone for space", [r'case.toml: \[zone.filter\]: `cylinder`: this is for space, and the mesh has triangles: take `ball`, a disk in the plane'],
        case(("[time]", '[zone.filter]\ncylinder = { from = [0, 0, 0], to = [1, 0, 0], radius = 0.1 }\ndarcy = 1\n[time]'))),
    Row("a zone of nothing", [r'nothing stands in \[zone.filter\]: expected `darcy`, `forchheimer`, `acceleration`, `fan`, `actuator_disk`, `rotating`, `porosity`, `conductivity`, `heat` or `sources`'],
        case(("[time]", '[zone.filter]\nball = { centre = [0.5, 0.5, 0], radius = 0.3 }\n[time]'))),
    Row("a fan that blows out of the plane", [r'case.toml: \[zone.fan\]: `direction` of `fan`: the mesh has triangles: take one in its plane'],
        case(("[time]", '[zone.fan]\nball = { centre = [0.5, 0.5, 0], radius = 0.3 }\nfan = { pressure_jump = 1, direction = [0, 0, 1], thickness = 1 }\n[time]'))),
    Row("a fan's curve of no flux", [r'`pressure_jump` in \[zone.fan.fan\] .*unknown name or character "x"'],
        case(("[time]", '[zone.fan]\nball = { centre = [0.5, 0.5, 0], radius = 0.3 }\nfan = { pressure_jump = "1 - x", direction = [1, 0, 0], thickness = 1 }\n[time]'))),
    Row("a disk beyond momentum theory", [r'`thrust_coefficient` in \[zone.rotor.actuator_disk\] .*found 1.2, expected a number greater than 0 and less than 1, beyond which momentum theory'],
        case(("[time]", '[zone.rotor]\nball = { centre = [0.5, 0.5, 0], radius = 0.3 }\nactuator_disk = { thrust_coefficient = 1.2, diameter = 1, direction = [1, 0, 0] }\n[time]'))),
    Row("an acceleration of a zone out of the plane", [r'\[zone.wind\]: its acceleration has a z-component, 1 m/s\^2 at .*: a 2D flow has none'],
        case(("[time]", '[zone.wind]\nball = { centre = [0.5, 0.5, 0], radius = 0.3 }\nacceleration = [0, 0, 1]\n[time]'))),
    Row("zones of water waves in a flow", [r'`\[\[zone\]\]` \(.*case.toml:.*\): .*expected tables \[zone.NAME\], which a flow has; \[\[zone\]\] belongs to water waves'],
        case(("", '[[zone]]\npatches = ["lid"]\nwidth = 1\n'))),
    Row("a zone that turns out of the plane", [r'case.toml: \[zone.rotor\]: `rotating`: the mesh has triangles: a flow in the plane turns about z alone'],
        case(("[time]", '[zone.rotor]\nball = { centre = [0.5, 0.5, 0], radius = 0.2 }\nrotating = { rate = 1, axis = [1, 0, 0] }\n[time]'))),
    Row("zones that turn in each other", [r'case.toml: \[zone.b\]: `rotating`: cells of it are in \[zone.a\], too, which turns by itself'],
        case(("[time]", '[zone.a]\nball = { centre = [0.5, 0.5, 0], radius = 0.2 }\nrotating = { rate = 1 }\n[zone.b]\nball = { centre = [0.5, 0.5, 0], radius = 0.2 }\nrotating = { rate = 2 }\n[time]'))),
    Row("a wall in part in a zone that turns", [r'case.toml: \[zone.rotor\]: `rotating`: the boundary "lid" is a wall in part in \[zone.rotor\] and in part outside'],
        case(("[time]", '[zone.rotor]\nball = { centre = [0.5, 1, 0], radius = 0.3 }\nrotating = { rate = 1 }\n[time]'))),
    Row("a wall at rest that is not of revolution in one", [r'the boundary "lid" is told with seen_from = "rest", and is no surface of revolution about the axis'],
        case(("[time]", '[zone.rotor]\nball = { centre = [0.5, 1, 0], radius = 0.3 }\nrotating = { rate = 1 }\n[time]'), ("[boundary.lid]", '[boundary.lid]\nseen_from = "rest"'))),
    Row("an opening in a zone that turns", [r'the boundary "lid" is an opening: a zone that turns has walls and planes of symmetry'],
        case(("[time]", '[zone.rotor]\nball = { centre = [0.5, 1, 0], radius = 0.3 }\nrotating = { rate = 1 }\n[time]'), ('[boundary.lid]\ntype = "wall"\nvelocity = [1, 0, 0]', '[boundary.lid]\ntype = "outlet"'))),
    Row("a porous body in part in a zone that turns", [r'case.toml: \[zone.filter\]: `darcy`: the body is in part in \[zone.rotor\], with which it turns, and in part outside: make two zones of it'],
        case(("[time]", '[zone.rotor]\nball = { centre = [0.5, 0.5, 0], radius = 0.2 }\nrotating = { rate = 1 }\n[zone.filter]\nball = { centre = [0.5, 0.5, 0], radius = 0.3 }\ndarcy = 1\n[time]'))),
    Row("a fan across the axis of a zone that turns", [r'case.toml: \[zone.rotor\]: `direction` of `fan`: it is in \[zone.rotor\], which turns, and has to blow along that zone.s axis'],
        case(("[time]", '[zone.rotor]\nball = { centre = [0.5, 0.5, 0], radius = 0.2 }\nrotating = { rate = 1 }\nfan = { pressure_jump = 1, direction = [1, 0, 0], thickness = 0.2 }\n[time]'))),
    Row("a disk across the axis of a zone that turns", [r'case.toml: \[zone.disk\]: `direction` of `actuator_disk`: it is in \[zone.rotor\]'],
        case(("[time]", '[zone.rotor]\nball = { centre = [0.5, 0.5, 0], radius = 0.2 }\nrotating = { rate = 1 }\n[zone.disk]\nball = { centre = [0.5, 0.5, 0], radius = 0.3 }\nactuator_disk = { thrust_coefficient = 0.5, diameter = 0.1, direction = [1, 0, 0] }\n[time]'))),
    Row("a zone that turns beside rotational convection", [r'`convection` in \[flow\] .*expected "auto", "divergence", "central" or "upwind" beside \[zone.NAME\] with `rotating`'],
        case(("[time]", 'convection = "rotational"\n[zone.rotor]\nball = { centre = [0.5, 0.5, 0], radius = 0.2 }\nrotating = { rate = 1 }\n[time]'))),
    Row("heat of a zone in a flow without a temperature", [r'`heat` in \[zone.heater\] .* is for heat: a flow with \[temperature\]'],
        case(("[time]", '[zone.heater]\nball = { centre = [0.5, 0.5, 0], radius = 0.3 }\nheat = 3\n[time]'))),
    Row("uneven zones in the classical method", [r'case.toml: \[zone.filter\]: `darcy` is 1 to 20 along its axes: method = "classical" in \[flow\] takes numbers up to 10 times apart'],
        case(("[time]", 'method = "classical"\n[zone.filter]\nball = { centre = [0.5, 0.5, 0], radius = 0.3 }\ndarcy = [1, 20, 0]\n[time]'))),
    Row("a frame of the plane that turns about x", [r'case.toml: `axis` of `frame` in \[flow\]: a flow in the plane turns about z alone'],
        case(("[time]", 'frame = { rate = 1, axis = [1, 0, 0] }\n[time]'))),
    Row("a frame without a rate", [r'missing key `rate` in \[flow.frame\] \(.*\): expected a number'],
        case(("[time]", 'frame = { axis = [0, 0, 1] }\n[time]'))),
    Row("a wall that the frame sees move into itself", [r'wall "wall" at .*: its velocity .* is not along the wall'],
        case(("[time]", 'frame = { rate = 1 }\n[time]'), ('type = "wall"', 'type = "wall"\nseen_from = "rest"'))),
    Row("an opening that the frame turns through itself", [r'`seen_from` in \[boundary.lid\]: found "rest", and at .* the frame turns the opening through itself, by .* expected a surface of revolution'],
        case(("[time]", 'frame = { rate = 1 }\n[time]'), ('[boundary.lid]\ntype = "wall"\nvelocity = [1, 0, 0]', '[boundary.lid]\ntype = "opening"\ntotal_pressure = 1\nseen_from = "rest"'))),
    Row("text for a number", [r'`viscosity` in \[flow\] \(.*case.toml:4\): found "high", expected a number greater than 0'],
        case(("0.01\n[time]", '"high"\n[time]'))),
    Row("a number for text", [r"`file` in \[mesh\] \(.*case.toml:2\): found 3, expected text in quotes"],
        case(('"mesh.msh"', "3"))),
    Row("two components for three", [r"`velocity` in \[boundary.lid\] \(.*case.toml:10\): found \[1, 0\], expected 3 entries"],
        case(("[1, 0, 0]", "[1, 0]"))),
    Row("a real for an integer", [r"`max_iterations` in \[solver.potential\] \(.*:14\): found 10.5, expected an integer"],
        case(("", "[solver.potential]\nmax_iterations = 10.5\n"))),
    Row("a value for a table", [r"`flow` \(--set flow=1\): found 1, expected a table \[flow\]"], sets=("flow=1",)),
    Row("an unknown word", [r'`type` in \[boundary.wall\] \(.*:12\): found "wal", expected "wall", "inlet", "outlet", "opening", "symmetry" or "farfield": did you mean "wall"\?'],
        case(('[boundary.wall]\ntype = "wall"', '[boundary.wall]\ntype = "wal"'))),
    Row("a value out of range", [r"`end` in \[time\] \(.*case.toml:6\): found -1, expected a number greater than 0"],
        case(("end = 0.02", "end = -1"))),
    Row("a value that is no number", [r"`step` in \[time\] \(.*case.toml:7\): found nan, expected a number"],
        case(("step = 0.01", "step = nan"))),
    Row("keys that exclude each other", [r"`step` and `cfl` in \[time\] \(.*:8\): found both, expected exactly one"],
        case(("step = 0.01\n", "step = 0.01\ncfl = 1\n"))),
    Row("friction of the other method", [r'`diffusion` in \[flow\] \(.*:4\): found "face-average", expected "rotational": "face-average" is for method = "classical"'],
        case(("[flow]\n", '[flow]\ndiffusion = "face-average"\n'))),
    Row("a rebuilt velocity in the plane", [r'diffusion = "stress" and convection = "skew" are for tetrahedra: take "rotational" and "divergence"'],
        sets=('flow.diffusion="stress"',)),
    Row("jumps of another convection", [r'`upwind` in \[flow\] \(.*:4\): found 0.5, expected 0: upwind dissipation belongs to convection = "skew"'],
        case(("[flow]\n", '[flow]\nupwind = 0.5\nconvection = "divergence"\n'))),
    Row("jumps in the plane", [r'upwind is a dissipation at jumps of convection = "skew", on tetrahedra: take that, or 0'], sets=("flow.upwind=0.5",)),
    Row("a vorticity that friction has none of", [r'rotational convection takes a vorticity, which diffusion = "stress" has none of: take convection = "skew"'],
        case(("mesh.msh", "cube.geo")), sets=("mesh.size=0.5", 'flow.convection="rotational"', 'flow.diffusion="stress"'),
        files={"cube.geo": (ROOT / "meshes" / "cube.geo").read_bytes()}),
    Row("half a reference of a force", [r"`reference_velocity` in \[\[force\]\] \(.*\): found 1, expected `reference_area` beside it"],
        case(("[time]\n", '[[force]]\nname = "a"\nreference_velocity = 1\n[time]\n'))),
    Row("the other half of a reference", [r"`reference_area` in \[\[force\]\] \(.*\): found 1, expected `reference_velocity` beside it"],
        case(("[time]\n", '[[force]]\nname = "a"\nreference_area = 1\n[time]\n'))),
    Row("a reference of no size", [r"`reference_velocity` in \[\[force\]\] \(.*\): found 1e-300, expected one with which density \* velocity\^2 \* area / 2 is from 1e-100 to 1e\+100 N, not 0"],
        case(("[time]\n", '[[force]]\nname = "a"\nreference_velocity = 1e-300\nreference_area = 1\n[time]\n'))),
    Row("a direction of no length", [r"`drag_direction` in \[\[force\]\] \(.*\): found \[0, 0, 0\], expected a direction other than \[0, 0, 0\]"],
        case(("[time]\n", '[[force]]\nname = "a"\ndrag_direction = [0, 0, 0]\n[time]\n'))),
    Row("passes of the exact method", [r'`passes` in \[flow\] \(.*:4\): found 2, expected 1: the exact method has no pressure to correct; more are for method = "classical"'],
        case(("[flow]\n", "[flow]\npasses = 2\n"))),
    Row("a solver of the classical method", [r'`\[solver.momentum\]` \(.*\) belongs to method = "classical"'],
        case(("[time]\n", "[solver.momentum]\n[time]\n"))),
    Row("a preconditioner that is not for momentum", [r'`preconditioner` in \[solver.momentum\] \(.*\): "multigrid" is not for momentum'],
        case(("[flow]\n", '[flow]\nmethod = "classical"\n'), ("[time]\n", '[solver.momentum]\npreconditioner = "multigrid"\n[time]\n'))),
    Row("all problems at once, in order", [r"missing key `viscosity`.*:3\).*\nunknown key `viscocity`.*:4\).*\n`end`.*:6\).*\n`type`.*:12\)"],
        case(("viscosity", "viscocity"), ("end = 0.02", "end = 0"), ('wall]\ntype = "wall"', 'wall]\ntype = "w"'))),
    Row("bad TOML", [r"case.toml:4:\d+: .*text needs quotes"], case(("= 0.01\n[time]", "= high\n[time]"))),
    Row("a table that is not closed", [r"case.toml:3:\d+: "], case(("[flow]", "[flow"))),
    Row("a key given twice", [r"case.toml:5:\d+: .*viscosity"], case(("[time]", "viscosity = 1\n[time]"))),
    Row("a table given twice", [r"case.toml:13:\d+: .*flow"], case(("", "[flow]\n"))),
    Row("a case of binary garbage", [r"case.toml:1:\d+: "], "\x00\x01\x7fELF\x02"),
    Row("a case that is not UTF-8", [r"case.toml:1:\d+: "], b'title = "\xff\xfe"\n' + CASE.encode()),
    Row("a case of brackets", [r"case.toml:1:\d+: "], "a = " + "[" * 100000),
    Row("a case of dots", [r"case.toml:1: found a key of more than 16 parts"], "a" + ".a" * 100000 + " = 1"),
    Row("an empty case", [r"missing table \[mesh\] .*expected `file`", r"missing table \[boundary\]"], ""),
    Row("a case of megabytes", [r"case.toml: has more than \d+ bytes, expected a case file"], "#" * 3000000),
    Row("no such case", [r"cas.toml: no such file: did you mean case.toml\?"], words=("run", "cas.toml")),
    Row("a folder for a case", [r"is a folder; expected a case file"], words=("run", ".")),
    Row("an unknown name in an expression", [r'velocity` in \[boundary.lid\] \(.*:10\): expression "4\*y\*\(1-q\)": unknown name',
                                             r"\n  4\*y\*\(1-q\)\n         \^\n  known: x, y, z"],
        case(("[1, 0, 0]", '["4*y*(1-q)", 0, 0]'))),
    Row("a missing parenthesis", [r"case.toml:10\): expression .*missing parenthesis\n  2\*\(x\+1\n        \^"],
        case(("[1, 0, 0]", '["2*(x+1", 0, 0]'))),
    Row("an expression that is too long", [r'velocity` in \[boundary.lid\] \(.*:10\): expression "1\+1[1+]{1,200} \.\.\.": it has 20001 characters, of at most 20000\n'],
        case(("[1, 0, 0]", f'["1{"+1" * 10000}", 0, 0]'))),
    Row("an assignment", [r"a value cannot be assigned; == compares\n  x = 1\n    \^"], case(("[1, 0, 0]", '["x = 1", 0, 0]'))),
    Row("a list for a value", [r"one value is expected, found several\n  1, 2\n   \^"], case(("[1, 0, 0]", '["1, 2", 0, 0]'))),
    Row("a function without its argument", [r"needs parentheses\n  sin x\n  \^"], case(("[1, 0, 0]", '["sin x", 0, 0]'))),
    Row("an expression that is infinite", [r'`velocity` in \[boundary.lid\] \(.*:10\): expression "1/\(x-0.5\)" is infinite '
                                           r"at x = 0.5, y = 1, z = 0 m, t = 0 s; a finite"],
        case(("[1, 0, 0]", '["1/(x-0.5)", 0, 0]'))),
    Row("an expression that is no number", [r'`velocity` in \[initial\] \(.*:14\): expression "sqrt\(-1-x\)" is not a number at'],
        case(("", '[initial]\nvelocity = ["sqrt(-1-x)", 0, 0]\n'))),
    Row("a wall that moves into the flow", [r'wall "lid" at \(.*, 1\): its velocity \(0, 1, 0\) m/s is not along the wall'],
        case(("[1, 0, 0]", "[0, 1, 0]"))),
    Row("turbulence of a wall", [r'`\[boundary.lid.turbulence\]` \(.*:11\) is for inlets'],
        case(("velocity = [1, 0, 0]", "velocity = [1, 0, 0]\nturbulence = { intensity = 0.1, length = 1 }"))),
    Row("turbulence in the plane", [r'`turbulence` in \[boundary.lid\]: its eddies are in space: take a mesh of tetrahedra'],
        case(('type = "wall"\nvelocity = [1, 0, 0]',
              'type = "inlet"\nvelocity = [0, -1, 0]\nturbulence = { intensity = 0.1, length = 1 }'))),
    Row("an inlet without a velocity", [r"missing key `velocity` or `flow_rate` in \[boundary.lid\] \(.*:8\): expected exactly one"],
        case(('type = "wall"\nvelocity = [1, 0, 0]', 'type = "inlet"'))),
    Row("an inlet with both", [r'`velocity` and `flow_rate` in \[boundary.lid\] \(.*:11\): found both, expected exactly one'],
        case(('type = "wall"\nvelocity = [1, 0, 0]', 'type = "inlet"\nvelocity = [0, -1, 0]\nflow_rate = 1'))),
    Row("a profile of a velocity", [r'`profile` in \[boundary.lid\] \(.*:11\) belongs to `flow_rate`'],
        case(('type = "wall"\nvelocity = [1, 0, 0]', 'type = "inlet"\nvelocity = [0, -1, 0]\nprofile = "uniform"'))),
    Row("a plane of a velocity", [r'`recycle` in \[boundary.lid\] \(.*:11\) belongs to `flow_rate`'],
        case(('type = "wall"\nvelocity = [1, 0, 0]', 'type = "inlet"\nvelocity = [0, -1, 0]\nrecycle = 1'))),
    Row("a plane out of the mesh", [r'case.toml: \[boundary.lid\] recycle: the point \(.*\) and \d+ more lie outside the mesh'],
        case(('type = "wall"\nvelocity = [1, 0, 0]', 'type = "inlet"\nflow_rate = 1\nrecycle = 1.5'))),
    Row("a flow rate that depends on place", [r'`flow_rate` in \[boundary.lid\] \(.*:10\): found "x", expected a number or an expression of t alone'],
        case(('type = "wall"\nvelocity = [1, 0, 0]', 'type = "inlet"\nflow_rate = "x"'))),
    Row("an unknown profile", [r'`profile` in \[boundary.lid\] \(.*:11\): found "develloped", expected "uniform", "developed" or an expression of x, y, z in quotes\n'],
        case(('type = "wall"\nvelocity = [1, 0, 0]', 'type = "inlet"\nflow_rate = 1\nprofile = "develloped"'))),
    Row("a profile that depends on time", [r'`profile` in \[boundary.lid\] \(.*:11\): found "1\+t", expected "uniform", "developed" or an expression of x, y, z in quotes, without t'],
        case(('type = "wall"\nvelocity = [1, 0, 0]', 'type = "inlet"\nflow_rate = 1\nprofile = "1+t"'))),
    Row("a profile that does not enter", [r'case.toml: \[boundary.lid\] profile: its integral over the patch is -0.5, expected a number greater than 0'],
        case(('type = "wall"\nvelocity = [1, 0, 0]', 'type = "inlet"\nflow_rate = 1\nprofile = "-x"'))),
    Row("a profile that is infinite", [r'`profile` in \[boundary.lid\] \(.*:11\): expression "1/\(x-0.5\)" is infinite at'],
        case(('type = "wall"\nvelocity = [1, 0, 0]', 'type = "inlet"\nflow_rate = 1\nprofile = "1/(x-0.5)"'))),
    Row("a developed profile between planes of symmetry", [r'case.toml: \[boundary.lid\] profile = "developed": no wall touches the patch around \(.*\): take "uniform" or a formula'],
        case(('type = "wall"\nvelocity = [1, 0, 0]', 'type = "inlet"\nflow_rate = 1\nprofile = "developed"'), ('[boundary.wall]\ntype = "wall"', '[boundary.wall]\ntype = "symmetry"'))),
    Row("a flow rate of a wall", [r"`flow_rate` in \[boundary.lid\] \(.*:10\) is for inlets"], case(("velocity = [1, 0, 0]", "flow_rate = 1"))),
    Row("a flow rate of the only outlet", [r"case.toml: each outlet \(`lid`\) has a `flow_rate` or `share`: leave one outlet without"],
        case(('type = "wall"\nvelocity = [1, 0, 0]', 'type = "outlet"\nflow_rate = 1'))),
    Row("shares of more than there is", [r"case.toml: `share` of outlets: 1.2 in all, expected at most 1"],
        case(('type = "wall"\nvelocity = [1, 0, 0]', 'type = "outlet"\nshare = 0.6'), ('[boundary.wall]\ntype = "wall"', '[boundary.wall]\ntype = "outlet"\nshare = 0.6'))),
    Row("an average named like an output", [r'`name` in \[\[average\]\] \(.*\): found "m_000005", expected beside `patches` a name that does not end with _ and six digits or more'],
        case(("", '[[average]]\nname = "m_000005"\npatches = ["lid"]\n'))),
    Row("a flow rate that nothing balances", [r"do not balance: 1 m\^2/s more enter the domain there than leave"],
        case(('type = "wall"\nvelocity = [1, 0, 0]', 'type = "inlet"\nflow_rate = 1'))),
    Row("an inlet out of the plane", [r'boundary "lid" at \(.*, 1\): its velocity \(0, 0, 1\) m/s has a z-component; a 2D flow has none'],
        case(('type = "wall"\nvelocity = [1, 0, 0]', 'type = "inlet"\nvelocity = [0, 0, 1]'))),
    Row("more that leaves than enters", [r"do not balance: 1 m\^2/s more leave the domain there than enter: change one of them, make a part of it an outlet, or let `balance` in \[flow\] scale the inlets"],
        case(('type = "wall"\nvelocity = [1, 0, 0]', 'type = "inlet"\nvelocity = [0, 1, 0]'))),
    Row("inlets that nothing leaves", [r'balance = "inlets" in \[flow\] scales the inflow of inlets, 1 m\^2/s, to the outflow elsewhere, 0 m\^2/s: both must be more than 0'],
        case(("viscosity = 0.01\n", 'viscosity = 0.01\nbalance = "inlets"\n'), ('type = "wall"\nvelocity = [1, 0, 0]', 'type = "inlet"\nvelocity = [0, -1, 0]'))),
    Row("inlets that are scaled with the rotation of a frame", [r'`balance` in \[flow\] \(.*\): found "inlets", expected "none": \[boundary.lid\] is seen from rest, and with the inflow "inlets" would scale the rotation'],
        case(("viscosity = 0.01\n", 'viscosity = 0.01\nbalance = "inlets"\nframe = { rate = 1 }\n'), ('type = "wall"\nvelocity = [1, 0, 0]', 'type = "inlet"\nvelocity = [0, -1, 0]\nseen_from = "rest"'))),
    Row("inlets that outlets relieve", [r'`balance` in \[flow\] \(.*\): found "inlets", expected "none": the outlet takes the rest of the inflow'],
        case(("viscosity = 0.01\n", 'viscosity = 0.01\nbalance = "inlets"\n'), ('type = "wall"\nvelocity = [1, 0, 0]', 'type = "outlet"'))),
    Row("an earlier result that is not there", [r"`result` in \[initial\]: .*nowhere: no such folder: expected the result folder of an earlier run"],
        case(("", '[initial]\nresult = "nowhere"\n'))),
    Row("two first flows", [r"`velocity` and `result` in \[initial\] \(.*\): found both, expected at most one"],
        case(("", '[initial]\nresult = "nowhere"\nvelocity = [1, 0, 0]\n'))),
    Row("rotational convection with an opening", [r'`convection` in \[flow\] \(.*:5\): "rotational" is for flows between walls'],
        case(("viscosity = 0.01\n", 'viscosity = 0.01\nconvection = "rotational"\n'), ('type = "wall"\nvelocity = [1, 0, 0]', 'type = "outlet"'))),
    Row("a force out of the plane", [r"the body force has a z-component, 1 m/s\^2 at \(.*\): a 2D flow has none"], sets=("flow.body_force=[0,0,1]",)),
    Row("inflow out of the domain", [r"case.toml: `direction` in \[boundary.lid\]: found \(1, 0.01, 0\) at \(.*\), expected one that leads into the domain on every face of the group, at most 84 degrees off the inward normal, which is \(-?0, -1, -?0\) there: turn it, or leave it out"],
        case(('type = "wall"\nvelocity = [1, 0, 0]', 'type = "opening"\ntotal_pressure = 1\ndirection = [1, 0.01, 0]'))),
    Row("inflow out of the plane", [r"`direction` in \[boundary.lid\]: found \(0, -1, 1\) at \(.*\), expected no z-component in a 2D flow"],
        case(('type = "wall"\nvelocity = [1, 0, 0]', 'type = "outlet"\ndirection = [0, -1, 1]'))),
    Row("a flow out of the plane", [r"\[initial\] velocity: its z-component is 1 at"],
        case(("", "[initial]\nvelocity = [0, 0, 1]\n"))),
    Row("a line outside the mesh", [r"\[\[line\]\] `a`: the point \(0, 2, 0\) and 100 more lie outside the mesh, which reaches"],
        case(("", '[[line]]\nname = "a"\nfrom = [0, 2, 0]\nto = [1, 2, 0]\n'))),
    Row("two lines of one name", [r'`name` in \[\[line\]\] \(.*:18\): found "a", expected a name that no other line has'],
        case(("", '[[line]]\nname = "a"\nfrom = [0, 0, 0]\nto = [1, 0, 0]\n' * 2))),
    Row("a section that misses the mesh", [r"case.toml: \[\[section\]\] `a`: `plane`: the plane through \(0, 2\) with the normal \(0, 1\) cuts no cell of the fluid, which reaches from \(0, 0\) to \(1, 1\) m"],
        case(("", '[[section]]\nname = "a"\nplane = { point = [0, 2, 0], normal = [0, 2, 0] }\n'))),
    Row("a section through nothing", [r"missing key `plane` or `patches` in \[\[section\]\] \(.*case.toml:\d+\): expected exactly one"],
        case(("", '[[section]]\nname = "a"\n'))),
    Row("a section in an empty place", [r"case.toml: \[\[section\]\] `a`: `within`: no cell's cut by the plane lies there; the middles of the cuts reach from \(0.4, \S+\) to \(0.4, \S+\) m"],
        case(("", '[[section]]\nname = "a"\nplane = { point = [0.4, 0, 0], normal = [1, 0, 0] }\nwithin = { centre = [0.4, 3, 0], radius = 1 }\n'))),
    Row("a profile that steps along its planes", [r'case.toml: \[\[profile\]\] `a`: `direction`: points out of the mesh of triangles, expected one with z = 0'],
        case(("", '[[profile]]\nname = "a"\ndirection = [0, 0, 1]\npoints = 3\n'))),
    Row("a profile without layers", [r'case.toml: \[\[profile\]\] `a`: the nodes of the mesh are not in layers along `direction`: expected `points` or `positions`'],
        case(("", '[[profile]]\nname = "a"\ndirection = [1, 0.3, 0]\n'))),
    Row("a profile closer than the mesh", [r'case.toml: \[\[profile\]\] `a`: `positions`: the plane at 0.5001 m has too few nodes of the mesh about it for a mean, expected planes in the mesh and further apart'],
        case(("", '[[profile]]\nname = "a"\npositions = [0.5, 0.5001, 0.5002]\n'))),
    Row("a profile of an empty place", [r'case.toml: \[\[profile\]\] `a`: `within`: fewer than two planes of nodes lie there; the mesh reaches from \(0, 0\) to \(1, 1\) m'],
        case(("", '[[profile]]\nname = "a"\npoints = 3\nwithin = { min = [2, 0, 0], max = [3, 1, 0] }\n'))),
    Row("a plane that misses the mesh", [r"case.toml: \[\[plane\]\] `a`: `plane`: the plane through \(0, 2\) with the normal \(0, 1\) cuts no cell of the mesh, which reaches from \(0, 0\) to \(1, 1\) m"],
        case(("", '[[plane]]\nname = "a"\nplane = { point = [0, 2, 0], normal = [0, 2, 0] }\n'))),
    Row("a plane that is none", [r"missing key `plane` in \[\[plane\]\] \(.*case.toml:\d+\): expected exactly one"], case(("", '[[plane]]\nname = "a"\n'))),
    Row("vortices on triangles", [r"case.toml: \[\[isosurface\]\] `a`: `field`: there is no `q_criterion` on meshes of this dimension; name another"],
        case(("", '[[isosurface]]\nname = "a"\nfield = "q_criterion"\nvalue = 1\n'))),
    Row("a probe outside the mesh", [r"`points` of \[\[probe\]\] `far`: the point \(0.5, 2, 0\) lies outside the mesh, which reaches"],
        case(("", '[[probe]]\nname = "far"\npoints = [[0.5, 0.5, 0], [0.5, 2, 0]]\n'))),
    Row("a probe without points", [r"`points` in \[\[probe\]\] \(.*:15\): found \[\], expected a list of points"], case(("", '[[probe]]\nname = "none"\npoints = []\n'))),
    Row("gravity out of the plane", [r"`gravity` in \[temperature\] has a z-component, -9.81 m/s\^2: a 2D flow has none"],
        case(("", '[temperature]\ndiffusivity = 1\nexpansion = 1\nreference = 0\ngravity = [0, 0, -9.81]\n'))),
    Row("half a Nusselt number", [r"`nusselt_length` in \[temperature\] \(.*\): found 1, expected `nusselt_difference` beside it",
                                  r"missing table \[initial\] \(.*\): expected `temperature`"],
        case(("", '[temperature]\ndiffusivity = 1\nnusselt_length = 1\n'))),
    Row("a scalar with a name of the flow's", [r"`name` in \[\[scalar\]\] \(.*\): found \"pressure\", expected a name that nothing else in the flow has"],
        case(("", '[[scalar]]\nname = "pressure"\ndiffusivity = 1\n'))),
    Row("scalars whose columns clash", [r"`name` in \[\[scalar\]\] \(.*\): found \"dye_flux\", expected a name that nothing else in the flow has"],
        case(("", '[[scalar]]\nname = "dye"\ndiffusivity = 1\n[[scalar]]\nname = "dye_flux"\ndiffusivity = 1\n'))),
    Row("a scalar with a name that is no word", [r"`name` in \[\[scalar\]\] \(.*\): found \"a dye\", expected a word of up to 40 small letters, digits and _"],
        case(("", '[[scalar]]\nname = "a dye"\ndiffusivity = 1\n'))),
    Row("a solid without a temperature", [r"`\[region\]` \(.*\) is for solids in a flow with \[temperature\]"],
        case(("", '[region.steel]\nsolid = true\nconductivity = 1\nheat_capacity = 1\n'))),
    Row("a conductivity of a fluid", [r"`conductivity` in \[region.fluid\] \(.*:16\) is for solids: `solid = true`; the fluid's heat stands in \[temperature\]"],
        case(("", '[temperature]\ndiffusivity = 1\n[region.fluid]\nconductivity = 1\n[initial]\ntemperature = 0\n'))),
    Row("half a solid", [r"missing key `conductivity` in \[region.steel\] \(.*\): expected a number", r"missing key `heat_capacity` in \[region.steel\]"],
        case(("", '[temperature]\ndiffusivity = 1\n[region.steel]\nsolid = true\n[initial]\ntemperature = 0\n'))),
    Row("a mesh of solids alone", [r"case.toml: every cell of the mesh is solid: nothing can flow$"],
        case(("", '[temperature]\ndiffusivity = 1\n[region.fluid]\nsolid = true\nconductivity = 1\nheat_capacity = 1\n[initial]\ntemperature = 0\n'))),
    Row("a tracer outside the mesh", [r"\[\[tracer\]\] `far`: the point \(0.5, 2, 0\) lies outside the mesh, which reaches"],
        case(("", '[[tracer]]\nname = "far"\npoints = [[0.5, 0.5, 0], [0.5, 2, 0]]\n'))),
    Row("tracers in a box outside the mesh", [r"\[\[tracer\]\] `far`: of \d+ places there 0 lie in the mesh, expected 7: move it, or take a smaller `count`"],
        case(("", '[[tracer]]\nname = "far"\nlow = [2, 2, 0]\nhigh = [3, 3, 0]\ncount = 7\n'))),
    Row("tracers from nowhere", [r"missing key `points`, `from`, `low` or `centre` in \[\[tracer\]\] \(.*\): expected exactly one"],
        case(("", '[[tracer]]\nname = "a"\n'))),
    Row("tracers from two places", [r"`low` in \[\[tracer\]\] \(.*:17\): found also `from`, expected one of them"],
        case(("", '[[tracer]]\nname = "a"\nfrom = [0.1, 0.1, 0]\nto = [0.2, 0.2, 0]\nlow = [0, 0, 0]\nhigh = [1, 1, 0]\n'))),
    Row("tracers on half a line", [r"`from` in \[\[tracer\]\] \(.*:15\): found \[.*\], expected `to` beside it"],
        case(("", '[[tracer]]\nname = "a"\nfrom = [0.1, 0.1, 0]\n'))),
    Row("tracers in a box turned over", [r"`high` in \[\[tracer\]\] \(.*:16\): found .*, expected no coordinate less than that of `low`"],
        case(("", '[[tracer]]\nname = "a"\nlow = [0.5, 0, 0]\nhigh = [0.1, 1, 0]\n'))),
    Row("a count of listed tracers", [r"`count` in \[\[tracer\]\] \(.*:16\): found 5, expected none beside `points`"],
        case(("", '[[tracer]]\nname = "a"\npoints = [[0.5, 0.5, 0]]\ncount = 5\n'))),
    Row("tracers released too late", [r"`release_from` in \[\[tracer\]\] \(.*:16\): found 3, expected a time before the `end` of the run in \[time\], 0.02 s"],
        case(("", '[[tracer]]\nname = "a"\npoints = [[0.5, 0.5, 0]]\nrelease_from = 3\n'))),
    Row("tracers released all the time", [r"`release_every` in \[\[tracer\]\] \(.*:16\): found 1e-12, expected at least 2e-08 s between releases"],
        case(("", '[[tracer]]\nname = "a"\npoints = [[0.5, 0.5, 0]]\nrelease_every = 1e-12\n'))),
    Row("tracers released once up to a time", [r"`release_to` in \[\[tracer\]\] \(.*:16\): found 1, expected `release_every` beside it"],
        case(("", '[[tracer]]\nname = "a"\npoints = [[0.5, 0.5, 0]]\nrelease_to = 1\n'))),
    Row("tracers that end before they begin", [r"`release_to` in \[\[tracer\]\] \(.*:18\): found 0.001, expected a time from `release_from` on"],
        case(("", '[[tracer]]\nname = "a"\npoints = [[0.5, 0.5, 0]]\nrelease_from = 0.01\nrelease_every = 0.001\nrelease_to = 0.001\n'))),
    Row("output times that fall", [r"`times` in \[output\] \(.*:14\): found 0.01, expected a number greater than the one before it"], case(("", "[output]\ntimes = [0.02, 0.01]\n"))),
    Row("--set on an unknown key", [r"unknown key `viscocity` in \[flow\] \(--set flow.viscocity=1\): did you mean `viscosity`"],
        sets=("flow.viscocity=1",)),
    Row("--set on an unknown table", [r"unknown table `\[flwo\]` \(--set flwo.viscosity=1\): did you mean `flow`"],
        sets=("flwo.viscosity=1",)),
    Row("--set without a value", [r"--set flow.viscosity: expected key.path=value, such as"], sets=("flow.viscosity",)),
    Row("--set of a wrong type", [r'`viscosity` in \[flow\] \(--set flow.viscosity=1.2.3\): found "1.2.3", expected a number'],
        sets=("flow.viscosity=1.2.3",)),
    Row("--set of an open list", [r"--set boundary.lid.velocity=\[1,0: .*array"], sets=("boundary.lid.velocity=[1,0",)),
    Row("--set of a bad key", [r"--set flow..viscosity=1: .*key"], sets=("flow..viscosity=1",)),
    Row("--set of a bad expression", [r"\(--set boundary.lid.velocity=.*\): expression .*\n  1\+\n    \^"],
        sets=('boundary.lid.velocity=["1+",0,0]',)),
    Row("an unknown command", [r"unknown command `rnu`; did you mean `run`\?"], words=("rnu",)),
    Row("a proof of a single step", [r"--steps: .*2"], words=("verify", "case.toml", "--steps", "1")),
    Row("a mesh to prove something of", [r"mesh.geo is a mesh; expected a case file"], words=("verify", "mesh.geo"),
        files={"mesh.geo": b"Point(1) = {0, 0, 0};\n"}),
    Row("a checkpoint that is not there", [r"nowhere.h5: no such file"], words=("run", "case.toml", "--restart", "nowhere.h5")),
    Row("a pair of one patch", [r'`patches` in \[\[periodic\]\] \(.*:10\): found \["left"\], expected 2 names, each once'],
        case(('"left", "right"', '"left"'), text=PERIODIC)),
    Row("a pair driven twice", [r"`mass_flux` and `pressure_drop` in \[\[periodic\]\] \(.*\): found both, expected at most one"],
        case(('"right"]', '"right"]\nmass_flux = 1\npressure_drop = 1'), text=PERIODIC)),
    Row("a drive that depends on place", [r'`mass_flux` in \[\[periodic\]\] \(.*\): found "x", expected a number or an expression of t alone'],
        case(('"right"]', '"right"]\nmass_flux = "x"'), text=PERIODIC)),
    Row("a pair of unknown patches", [r"\[\[periodic\]\] patches: the mesh has no boundary group `rigth` \(did you mean `right`\?\)"],
        case(("right", "rigth"), text=PERIODIC), files=PERIODIC_SQUARE),
    Row("a pair that is a wall, too", [r"\[boundary.left\]: the group is in a \[\[periodic\]\] pair too: leave one of them out"],
        case(("", '[boundary.left]\ntype = "wall"\n'), text=PERIODIC), files=PERIODIC_SQUARE),
    Row("a patch in two pairs", [r'the periodic pair "left", "top" names a patch that is in a pair already'],
        case(('"bottom"', '"left"'), ("", '[boundary.bottom]\ntype = "wall"\n'), text=PERIODIC), files=PERIODIC_SQUARE),
    Row("a pair that is no translation", [r'the periodic pair "left", "top": the node \d+ of "top" at .* is no node of "left" moved by \(0.5, 0.5, 0\), the translation'],
        case(('"left", "right"', '"left", "top"'), ('"bottom", "top"', '"bottom", "right"'), text=PERIODIC), files=PERIODIC_SQUARE),
    Row("a pair of unlike meshes", [r'the periodic pair "left", "right" has 4 and 9 faces: make the meshes of both patches alike \(in a .geo: `Periodic Curve'],
        PERIODIC, files={"mesh.geo": PERIODIC_SQUARE["mesh.geo"].replace(b"Periodic Curve {2}", b"Transfinite Curve {2} = 10; Transfinite Curve {4} = 5; //")}),
    Row("a pair on one side", [r'the periodic pair "left", "right": the mesh lies on the same side of both patches at'],
        PERIODIC.replace('[[periodic]]\npatches = ["bottom", "top"]\n', '[boundary.wall]\ntype = "wall"\n'), files={"mesh.geo": TWO_TEETH}),
    Row("a pair with too little between", [r"fewer than three cells lie between the patches of a periodic pair near"],
        case(("size = 0.2", "size = 1"), text=PERIODIC), files=PERIODIC_SQUARE),
    Row("a flux that nothing can take", [r'the flux through the periodic pair "left", "right" cannot be given: "left" must be one line'],
        case(('patches = ["bottom", "top"]\n', 'patches = ["bottom", "top"]\n'), ('"right"]', '"right"]\nmass_flux = 1'),
             ('[[periodic]]\npatches = ["bottom", "top"]\n', '[boundary.bottom]\ntype = "outlet"\n[boundary.top]\ntype = "wall"\n'), text=PERIODIC), files=PERIODIC_SQUARE),
    Row("an unknown option", [r"unknown option `--outputt`; did you mean `--output`\? \(see solenoid --help"], words=("run", "case.toml", "--outputt", "x")),
    Row("an option of another command", [r"unknown option `--ranks` \(see solenoid --help"], words=("run", "case.toml", "--ranks=3")),
    Row("one argument too many", [r"`other.toml` is one argument too many"], words=("run", "case.toml", "other.toml")),
    Row("a title that reaches for the terminal", [r'`title` .*case.toml:1\): found .*, expected a title of one line, without control characters$'],
        case(("[mesh]", 'title = "\\u001b[31mred"\n[mesh]'))),
    Row("a boundary that reaches for the terminal", [r"\[boundary.a\\x1b\[31mb\]: the mesh has no boundary group of this name"],
        case(("", '[boundary."a\\u001b[31mb"]\ntype = "wall"\n'))),
    Row("a mesh for a case", [r"mesh.msh is a mesh; expected a case file \(.toml\), which names it as `file` in \[mesh\]. `solenoid check mesh.msh` looks"],
        words=("run", "mesh.msh")),
    Row("a surface without triangles", [r"part.stl: has no triangle"], files={"part.stl": b"solid"}, words=("check", "part.stl")),
    Row("a point cloud for a case", [r"part.ply: not a case file \(.toml\), nor a mesh I read$"], files={"part.ply": b"ply"}, words=("check", "part.ply")),
    Row("no case", [r"CASE is required"], words=("run",)),
    Row("an output folder of somebody else", [r"--output .*: the folder holds files that Solenoid did not make; name another"],
        files={"mesh.msh": square().text("2.2"), "other/notes.txt": b"mine"}, words=("run", "case.toml", "--output", "other")),
    Row("results without their list", [r"--output other: the folder holds results, and no list of them, .solenoid-result, .*; go on from a checkpoint"],
        files={"mesh.msh": square().text("2.2"), "other/history.csv": b""}, words=("run", "case.toml", "--output", "other")),
    Row("an output folder of an early version", [r"--output other: the folder is of an early version of Solenoid, which kept no list of its files, .*; remove"],
        files={"other/.solenoid-result": b"Made by Solenoid; a new run replaces its results.\n", "other/run.log": b"", "mesh.msh": b""},
        words=("run", "case.toml", "--output", "other")),
    Row("an output folder that cannot be made", [r"--output case.toml/out: cannot be a result folder: .*/case.toml is a file; name another"],
        words=("run", "case.toml", "--output", "case.toml/out")),
    Row("an output folder that cannot be made for a check", [r"--output case.toml/out: cannot be a result folder: .*/case.toml is a file"],
        words=("check", "case.toml", "--output", "case.toml/out")),
    Row("an output folder with a name too long", [r"--output a+: cannot be a result folder: .*: File name too long; name another"],
        words=("run", "case.toml", "--dry-run", "--output", "a" * 300)),
    Row("an output folder without a name", [r"--output: expected a name, found nothing"], words=("run", "case.toml", "--output", "")),
    Row("a path with a NUL", [r'`file` in \[mesh\] \(.*:2\): found "mesh.msh\\u0000x", expected a path without control characters'],
        case(("mesh.msh", "mesh.msh\\u0000x"))),
    Row("a tolerance beyond double precision", [r"`tolerance` in \[solver.potential\] \(--set solver.potential.tolerance=1e-30\): found 1e-30, expected a number of at least 1e-15"],
        sets=("solver.potential.tolerance=1e-30",)),
    Row("a key to take away that is not there", [r"--set time.stpe=: removes a key, but the case has no `stpe`: did you mean `\w+`\?"], sets=("time.stpe=",)),
    Row("a step that never ends", [r"`step` in \[time\] \(--set time.step=1e-300\): found 1e-300, expected at least 1e-11 s"], sets=("time.step=1e-300",)),
    Row("outputs without end", [r"`every` in \[output\] \(--set output.every=1e-300\): found 1e-300, expected at least 2e-10 s between outputs"],
        sets=("output.every=1e-300",)),
    Row("a line of too many points", [r"`points` in \[\[line\]\] \(.*:17\): found 2000000000, expected an integer of at most 1000000"],
        case(("", '[[line]]\nname = "a"\nfrom = [0, 0, 0]\nto = [1, 0, 0]\npoints = 2000000000\n'))),
]

# --- boundary groups ---------------------------------------------------------------------------------------------------
def rename(group, name):
    def change(m):
        m.names = [(d, g, name if g == group else old) for d, g, old in m.names]
    return change


GROUP_ROWS = [
    Row("a group without a table, a table without a group",
        [r"\[boundary.lit\]: the mesh has no boundary group of this name \(did you mean `lid`\?\); its groups: `lid`, `wall`\n"
         r".*the mesh's boundary group `lid` has no table: add \[boundary.lid\] with a type"], case(("boundary.lid", "boundary.lit"))),
    Row("20000 tables without a group", [r"\[boundary.g0\]: the mesh has no boundary group of this name; its groups: `lid`, `wall`(\n.*){19}\nand 19980 more$"],
        CASE + "".join(f'[boundary.g{k}]\ntype = "wall"\n' for k in range(20000))),
    Row("two groups of one name", [r'mesh.msh:7: \$PhysicalNames, name 2: the physical groups 1 and 2 of dimension 1 are both called "wall"; give them'],
        files=mesh(rename(1, "wall"))),
    Row("one number named twice", [r"mesh.msh:9: \$PhysicalNames, name 4: the physical group 2 of dimension 1 is named a second"],
        files=mesh(lambda m: m.names.append((1, 2, "floor")))),
    Row("no boundary groups", [r"mesh.msh: the mesh has 32 triangles, but no group of its boundary. Name each part"],
        files=mesh(lambda m: setattr(m, "elements", [e for e in m.elements if e.type != LINE]))),
    Row("a boundary face in no group", [r"mesh.msh: 1 boundary faces belong to no boundary group, one of them 1-2 at \(0.125, 0, 0\) "
                                        r'of the cell 17 of "fluid": add a Physical Curve'],
        files=mesh(lambda m: m.elements.remove(m.element(1)))),
    Row("a boundary face in two groups", [r"mesh.msh: elements 1 and 49 have the same nodes and are in two physical groups of dimension 1, "
                                          r"`(lid|wall)` and `(lid|wall)`"],
        files=mesh(lambda m: m.add(LINE, 1, 1, [1, 2]))),
    Row("an entity in two groups", [r"mesh.msh: element \d+ is in two physical groups of dimension 1, `lid` and `wall`"],
        files=replaced(b"\n2 0 0 0 1 1 0 1 2 0\n", b"\n2 0 0 0 1 1 0 2 1 2 0\n")),
    Row("a group inside the mesh", [r'boundary group "wall" has a face inside the domain, 1-7 at \(0.125, 0.125, 0\) between the '
                                    r'cells (17|18) of "fluid" and (17|18) of "fluid"'],
        files=mesh(lambda m: m.add(LINE, 2, 2, [1, 7]))),
    Row("a group across the mesh", [r'mesh.msh: boundary group "wall" has the face 1-13 at \(0.25, 0.25, 0\), which is of no cell'],
        files=mesh(lambda m: m.add(LINE, 2, 2, [1, 13]))),
]

# --- files that are no mesh, or damaged ones -----------------------------------------------------------------------------
def cut(format, part):
    content = square().text(format)
    return {"mesh.msh": content[:int(len(content) * part)]}


def with_nodes_of(element, nodes):
    return lambda m: setattr(m.element(element), "nodes", nodes)


def with_id(element, id):
    return lambda m: setattr(m.element(element), "id", id)


def at_node(id, *values):
    def change(m):
        m.node(id)[1:1 + len(values)] = values
    return change


def geo(more=""):
    """The unit square with the groups of the case, as a .geo of 8 lines and some more."""
    return f"""DefineConstant[ lc = 0.25 ];
Point(1) = {{0, 0, 0, lc}};
Point(2) = {{1, 0, 0, lc}};
Point(3) = {{1, 1, 0, lc}};
Point(4) = {{0, 1, 0, lc}};
Line(1) = {{1, 2}}; Line(2) = {{2, 3}}; Line(3) = {{3, 4}}; Line(4) = {{4, 1}};
Curve Loop(1) = {{1, 2, 3, 4}}; Plane Surface(1) = {{1}};
Physical Curve("wall") = {{1, 2, 4}}; Physical Curve("lid") = {{3}};
{more}"""


def triangles(*names, solid=""):
    """An .stl of sides of a tetrahedron; with all four it is closed."""
    corners, sides = ("0 0 0", "1 0 0", "0 1 0", "0 0 1"), {"x": (0, 3, 2), "y": (0, 1, 3), "z": (0, 2, 1), "slope": (1, 2, 3)}
    facets = ("facet normal 0 0 0\nouter loop\n" + "".join(f"vertex {corners[n]}\n" for n in sides[name]) + "endloop\nendfacet\n" for name in names)
    return {"part.stl": f"solid {solid}\n{''.join(facets)}endsolid\n".encode()}


def of_part(keys):
    return case(('file = "mesh.msh"', f'file = "part.stl"\n{keys}'))


HUGE = 10**12
FILE_ROWS = [
    Row("a part with a hole", [r"part.stl: is not closed: it has 1 hole, around \(0.5, 0.5, 0.5\), 1.73 across, with 3 edges; close it"],
        of_part(""), files=triangles("x", "y", "z")),
    Row("keys of parts for a mesh", [r"mesh.msh: `per_circle` in \[mesh\] is for parts, .*; this file is meshed already"],
        case(('file = "mesh.msh"', 'file = "mesh.msh"\nper_circle = 12')), files={"mesh.msh": square().text("2.2")}),
    Row("layers on no group", [r"mesh.msh: `patches` in \[mesh.layers\]: the mesh has no boundary group `walls`: did you mean `wall`\?"],
        case(('file = "mesh.msh"', 'file = "mesh.msh"\n[mesh.layers]\npatches = ["walls"]\nfirst = 0.001\n')), files={"mesh.msh": square().text("2.2")}),
    Row("no such mesh", [r"mesh.msh: the mesh file does not exist: did you mean `.*mash.msh`"], files={"mash.msh": b""}),
    Row("another kind of file", [r"mesh.inp: not a mesh I read: expected .geo .*, .msh .*; found `.inp`. Gmsh converts it: gmsh mesh.inp -save -format msh41 -o mesh.msh"],
        case(("mesh.msh", "mesh.inp")), files={"mesh.inp": b""}),
    Row("an empty mesh", [r"mesh.msh: is empty, expected a Gmsh mesh"], files={"mesh.msh": b""}),
    Row("a mesh of binary garbage", [r"mesh.msh:1: is not a Gmsh mesh: it starts with `\.ELF"], files={"mesh.msh": b"\x7fELF" * 9999}),
    Row("a line without an end", [r"mesh.msh:1: a line has more than \d+ bytes"], files={"mesh.msh": b"x" * 3000000}),
    Row("a format that is too old", [r"mesh.msh:2: \$MeshFormat: found the format version `2.1`, expected 2.2 or 4.1. Gmsh converts"],
        files=replaced(b"4.1 0 8", b"2.1 0 8")),
    Row("a bad format line", [r"mesh.msh:2: \$MeshFormat: found `4.1 7 8`, expected `4.1 0 8` \(text\)"],
        files=replaced(b"4.1 0 8", b"4.1 7 8")),
    Row("the other byte order", [r"mesh.msh: byte 20: \$MeshFormat: .*the other byte order. Gmsh converts it"],
        files=mesh(setting("order", ">"), "4.1 binary")),
    Row("a section of nothing", [r"mesh.msh:10: found `hello`, expected the first line of a section"],
        files=replaced(b"$Entities", b"hello\n$Entities")),
    Row("a section twice", [r"mesh.msh:\d+: a second section \$PhysicalNames, expected one"],
        files=replaced(b"$Entities", b"$PhysicalNames\n0\n$EndPhysicalNames\n$Entities")),
    Row("sections out of order", [r"the section \$Nodes behind \$Elements, expected it in front|node 1, which is not among"],
        files=mesh(lambda m: (lambda t: t[:t.index(b"$Nodes")] + t[t.index(b"$Elements"):] + t[t.index(b"$Nodes"):t.index(b"$Elements")])(m.text("2.2")))),
    Row("no nodes", [r"mesh.msh: has no section \$Nodes: the file was cut off"], files={"mesh.msh": b"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"}),
    Row("nodes with parameters", [r"found \$ParametricNodes, expected \$Nodes: write the mesh with the option Mesh.SaveParametric = 0"],
        files=replaced(b"$Nodes", b"$ParametricNodes", "2.2")),
    Row("a name without quotes", [r"mesh.msh:6: \$PhysicalNames, name 1: found `lid`, expected the group's name in quotes"],
        files=replaced(b'"lid"', b"lid")),
    *(Row(f"a file that was cut off, {f}", [r"mesh.msh(: byte \d+|:\d+): \$\w+.*(the file ends after \d+ bytes, expected|the line ends, "
                                           r"expected|bytes are left, and each takes)"], files=cut(f, 0.7)) for f in FORMATS),
    *(Row(f"more nodes than told, {f}", [r"\$Nodes.*(found `.*`, expected `\$EndNodes`|of the section's 24 only 24 are left)"],
          files=mesh(setting("nodes_told", 24), f)) for f in FORMATS),
    *(Row(f"fewer elements than told, {f}", [r"\$Elements.*(found `.*` for|blocks have 48|the file ends|tells? of|expected)"],
          files=mesh(setting("elements_told", 49), f)) for f in FORMATS),
    *(Row(f"a huge number of nodes, {f}", [rf"mesh.msh.*\$Nodes: tells of {HUGE} nodes, but \d+ bytes are left, and each takes \d+"],
          files=mesh(setting("nodes_told", HUGE), f)) for f in FORMATS),
    *(Row(f"a huge number of elements, {f}", [rf"mesh.msh.*\$Elements: tells of {HUGE} elements, but \d+ bytes are left"],
          files=mesh(setting("elements_told", HUGE), f)) for f in FORMATS),
    Row("a huge number of groups", [rf"\$Entities, curve 1: tells of {HUGE} physical groups, but"],
        files=replaced(b"\n1 0 0 0 1 1 0 1 1 0\n", b"\n1 0 0 0 1 1 0 %d 1 0\n" % HUGE)),
    Row("a huge node number", [r"mesh.msh:\d+: \$Nodes, node 9{12}: is out of the range 1 to 25"], files=replaced(b"\n25\n", b"\n999999999999\n")),
    *(Row(f"a node that is not there, {f}", [r"mesh.msh(: byte \d+|:\d+): \$Elements, element 17: has node 999, which is not among the nodes"],
          files=mesh(with_nodes_of(17, [1, 2, 999]), f)) for f in FORMATS),
    Row("a node twice", [r"\$Nodes, node 7: is there a second time"], files=mesh(lambda m: m.nodes.append([7, 9, 9, 0]))),
    Row("a node number of 0", [r"mesh.msh:\d+: \$Nodes, node: found `0` for the node's number, expected an integer of at least 1"],
        files=mesh(lambda m: m.nodes.append([0, 9, 9, 0]))),
    Row("an element number twice", [r"\$Elements, element 17: is there a second time"], files=mesh(with_id(18, 17))),
    *(Row(f"a coordinate of {value}, {f}", [rf"\$Nodes, node 7: found `{value}` for y, expected a finite number"],
          files=mesh(at_node(7, 0.25, float(value)), f)) for value, f in (("nan", "2.2"), ("inf", "4.1"), ("nan", "4.1 binary"))),
    Row("a word for a coordinate", [r"mesh.msh:18: \$Nodes, node 7: found `left` for x, expected a number"],
        files=mesh(at_node(7, "left"))),
    Row("a line that is too short", [r"mesh.msh:18: \$Nodes, node 7: the line ends, expected z"], files=replaced(b"\n7 0.25 0.25 0\n", b"\n7 0.25 0.25\n", "2.2")),
    Row("a line that is too long", [r"mesh.msh:18: \$Nodes, node 7: found `5` at the end of the line"],
        files=replaced(b"\n7 0.25 0.25 0\n", b"\n7 0.25 0.25 0 5\n", "2.2")),
    Row("an entity that is not there", [r"\$Elements, block of elements: is of the curve 9, which is not among the entities"],
        files=replaced(b"\n1 2 1 12\n", b"\n1 9 1 12\n")),
    Row("an entity twice", [r"\$Entities, curve 1: is there a second time"], files=replaced(b"\n2 0 0 0 1", b"\n1 0 0 0 1")),
    Row("a wrong element type", [r"\$Elements.*found `77` for the element type, expected one of Gmsh's points, lines, triangles"],
        files=replaced(b"\n2 1 2 32\n", b"\n2 1 77 32\n")),
    Row("elements of another dimension", [r"has elements of type 1, which are of dimension 1, in the surface 1"],
        files=replaced(b"\n2 1 2 32\n", b"\n2 1 1 32\n")),
    Row("a .geo with a mistake", [r"mesh.geo: Gmsh cannot mesh it: .*line 1: syntax error"], case(("mesh.msh", "mesh.geo")),
        files={"mesh.geo": b"Point(1) = {0, 0;\n"}),
    Row("a .geo without a surface", [r"mesh.geo: has no surface to mesh"], case(("mesh.msh", "mesh.geo")), files={"mesh.geo": b"a = 1;\n"}),
    Row("a .geo that ends the program", [r"mesh.geo:1: has `Exit;`, which ends the program"], case(("mesh.msh", "mesh.geo")),
        files={"mesh.geo": b"Exit;\n"}),
    Row("a .geo that runs a command", [r"mesh.geo: a .geo is a program, .*\n  .*mesh.geo:9: `SystemCall` runs a program\n.*`trust = true` in \[mesh\], or give --trust"],
        case(("mesh.msh", "mesh.geo")), files={"mesh.geo": geo('SystemCall "touch hit";\n')}),
    Row("a .geo that runs a command, looked at", [r"mesh.geo:9: `SystemCall` runs a program"], words=("check", "mesh.geo", "--output", "out"),
        files={"mesh.geo": geo('SystemCall "touch hit";\n')}),
    Row("a .geo that runs a command, measured", [r"mesh.geo:9: `SystemCall` runs a program"], words=("bench", "dot", "--mesh", "mesh.geo"),
        files={"mesh.geo": geo('SystemCall "touch hit";\n')}),
    Row("a .geo that is trusted", [r"the mesh is not kept in the cache: .*mesh.geo:9: `SystemCall` runs a program", r"Done at"],
        case(("mesh.msh", "mesh.geo")), words=("run", "case.toml", "--trust", "--output", "out"), code=0, files={"mesh.geo": geo('SystemCall "true";\n')}),
    Row("a size with a slip of the pen", [r"mesh.geo: would become 2.3e\+18 triangles or more, for which .* GB of memory are needed; .* GB are left here. "
                                          r"`size` in \[mesh\] is 1e-09: \S+ would do"],
        case(("mesh.msh", "mesh.geo")), sets=("mesh.size=1e-9",), files={"mesh.geo": geo()}),
    Row("a field that cannot be read", [r"mesh.geo: Gmsh cannot mesh it: .*none.txt"], case(("mesh.msh", "mesh.geo")),
        files={"mesh.geo": geo('Field[1] = Structured; Field[1].FileName = "none.txt"; Background Field = 1;\n')}),
    Row("a group in Latin-1", [r"mesh.msh: the name `Entr\\xe9e` of a group is not in UTF-8; read as Latin-1 it is `Entrée`", r"Done at"],
        case(("boundary.lid", 'boundary."Entrée"')), files=replaced(b'"lid"', b'"Entr\xe9e"'), code=0),
    Row("a group that reaches for the terminal", [r"mesh.msh: the name `\\x1b\[31mlid` of a group has a control character in it; rename it"],
        files=replaced(b'"lid"', b'"\x1b[31mlid"')),
    Row("a refinement below none", [r"`refine` in \[mesh\] .*found -1, expected an integer of at least 0"], sets=("mesh.refine=-1",)),
    Row("a refinement beyond all", [r"`refine` in \[mesh\] .*found 11, expected an integer of at most 10"], sets=("mesh.refine=11",)),
    Row("half a refinement", [r"`refine` in \[mesh\] .*found 0.5, expected an integer of at least 0"], sets=("mesh.refine=0.5",)),
    Row("more cells than a rank takes", [r"case.toml: `refine` in \[mesh\]: 10 makes 51539607552 cells of 48, \d+ of them on one of \d ranks?, which takes at most 306783378: take more ranks, or refine less"],
        sets=("mesh.refine=10",), files={"mesh.msh": cube().text("4.1")}),
    Row("triangles on all ranks", [r"case.toml: `distributed` in \[mesh\] is for tetrahedra, and .*mesh.msh has triangles: leave it out"], sets=("mesh.distributed=true",)),
    Row("a size that cannot be set", [r"mesh.msh: `size` in \[mesh\] is 0.1, but this file is meshed already"], sets=("mesh.size=0.1",)),
]

# --- meshes that no flow can be computed on ------------------------------------------------------------------------------
BODY = mesh(lambda m: None, made=cube)
SHAPE_ROWS = [
    Row("a quadrangle with a dent", [r"mesh.msh: element 17 is not convex, or so warped that it cannot be divided into triangles"],
        files=mesh(lambda m: (setattr(m, "elements", m.elements[:16]), m.add(QUADRANGLE, 3, 1, [25, 21, 19, 5]))[0])),
    Row("tetrahedra that fluid cannot leave", [r"the velocities or flow rates given on the boundary, the largest flux at \(0\.\d+, 0\.\d+, 1\), do not balance: 1 m\^3/s more enter the domain there than leave"],
        case(("viscosity = 0.01\n", 'viscosity = 0.01\nmethod = "classical"\n'), ('type = "wall"\nvelocity = [1, 0, 0]', 'type = "inlet"\nvelocity = [0, 0, -1]')), files=BODY),
    Row("tetrahedra whose wall moves fluid", [r'wall "lid" at \(0\.\d+, 0\.\d+, 1\): its velocity \(1, 0, 0\.5\) m/s is not along the wall \(normal part -?0\.5 m/s\): a wall\'s velocity must be tangential\n'],
        case(("viscosity = 0.01\n", 'viscosity = 0.01\nmethod = "classical"\n'), ('velocity = [1, 0, 0]', 'velocity = [1, 0, 0.5]')), files=BODY),
    Row("tetrahedra: a flux through a pair at an outlet", [r'the flux through the periodic pair "left", "right" cannot be given in the exact step in space, as it borders on an outlet: give `pressure_drop`, or take method = "classical"'],
        PERIODIC_CUBE_CASE, files={"mesh.geo": (ROOT / "meshes" / "periodic-cube.geo").read_bytes()}),
    Row("tetrahedra: a preconditioner that is not for edges", [r'preconditioner in \[solver.potential\]: in space the exact step has "multigrid", "jacobi" and "none"'],
        case(("", '[solver.potential]\npreconditioner = "gauss-seidel"\n')), files=BODY),
    Row("only lines", [r"mesh.msh:\d+: \$Elements: found 16 lines, expected triangles or tetrahedra"], files=mesh(lambda m: setattr(m, "elements", m.elements[:16]))),
    Row("out of the plane", [r"the triangles reach from z = 0 to z = 0.5, .*expected a mesh in a plane z = const"], files=mesh(at_node(7, 0.25, 0.25, 0.5))),
    Row("a cell with a node twice", [r"mesh.msh: element 17 has node 1 twice, expected different nodes"], files=mesh(with_nodes_of(17, [1, 1, 7]))),
    Row("a cell of zero volume", [r'mesh.msh: cell \d+ of "fluid" near \(.*\) is flat \(volume'], files=mesh(at_node(7, 0.25, 0.0))),
    Row("an inverted cell", [r'mesh.msh: the cells \d+ of "fluid" and \d+ of "fluid" lie on the same side of the face \d+-\d+ at \(.*\) '
                             r"between them: one is inverted"], files=mesh(at_node(7, 0.6, 0.55))),
    Row("a cell given twice", [r"mesh.msh: elements 17 and 49 have the same nodes; remove one of them"], files=mesh(lambda m: m.add(TRIANGLE, 3, 1, [7, 1, 2]))),
    Row("three cells at a face", [r'mesh.msh: 3 cells share the face \d+-\d+ at \(.*\), expected 2 at most: \d+ of "fluid", \d+ of'],
        files=mesh(lambda m: m.add(TRIANGLE, 3, 1, [1, 7, 13 + 5]))),
    Row("a mesh that touches itself", [r"mesh.msh: the mesh touches itself at the node 25 at \(1, 1, 0\): 4 boundary faces meet there"],
        files=mesh(lambda m: None, made=lambda: two_squares(touch=True))),
    Row("a mesh in two pieces", [r"warning: the mesh falls into 2 parts that share no face: 32 cells at \(.*\), 32 cells at"],
        files=mesh(lambda m: None, made=lambda: two_squares(touch=False)), code=0),
    Row("cells of either orientation", [r"read 25 nodes, 32 triangles", r"Done at t = .* after 2 steps"], files=mesh(with_nodes_of(17, [7, 2, 1])), code=0),
    Row("sections that are skipped", [r"read 25 nodes, 32 triangles"], files=replaced(
        b"$Entities", b"$Comments\n$Nodes of my own\n$EndComments\n$Entities"), code=0),
]

# --- computations that fail ----------------------------------------------------------------------------------------------
FAILURE_ROWS = [
    Row("a solver that does not converge", [r"\[solver.potential\] did not converge: raise max_iterations, set preconditioner = \"multigrid\", "
                                            r"take a looser tolerance, or take a smaller time step .*preconditioner jacobi: 1 iterations of at most 1, residual \S+, tolerance 1.00e-08"],
        sets=("solver.potential.max_iterations=1", "solver.potential.preconditioner=jacobi"), code=1),
    Row("a solver without a preconditioner", [r"\[solver.vorticity\] did not converge: raise max_iterations, set preconditioner = \"multigrid\""],
        sets=("solver.vorticity.max_iterations=1", "solver.vorticity.preconditioner=none"), code=1),
    Row("a flow that is not finite", [r"at t = 0.01 s the velocity is not finite: the flow has diverged; take a smaller time step"],
        case(("[1, 0, 0]", "[1e300, 0, 0]")), code=1),
    Row("a flow that diverges", [r"the flow has diverged; take (a )?smaller", r"and is above 1.2 since t = \S+ s, first in the cell at \(\S+, \S+\)"],
        case(("[1, 0, 0]", "[1e5, 0, 0]"), ("0.01\n[time]", "1e-9\n[time]"), ("end = 0.02", "end = 1")), code=1),
    Row("steps beyond the Courant number of convection", [r"warning: the Courant number was up to \S+, and above 1.2 in \d steps from t = \S+ s on, first in the cell at \(\S+, \S+\): a flow may gain energy in such steps; take smaller ones"],
        case(("[1, 0, 0]", "[400, 0, 0]"), ("0.01\n[time]", "10\n[time]"), ("end = 0.02", "end = 0.05")), code=0),
    Row("a flow whose energy comes from nowhere", [r"at t = \S+ s the kinetic energy has grown from \S+ to \S+ though nothing drives the flow: the flow has diverged; take a smaller time step"],
        case(("[1, 0, 0]", "[0, 0, 0]"), ("0.01\n[time]", "1e-9\n[time]"), ("end = 0.02", "end = 1"), ("[boundary.lid", '[initial]\nvelocity = ["100*sin(pi*x)*cos(pi*y)", "-100*cos(pi*x)*sin(pi*y)", 0]\n[boundary.lid')), code=1),
    Row("an expression that turns infinite", [r'`velocity` in \[boundary.lid\] \(.*:10\): expression "1/\(t-0.01\)" is infinite at .* t = 0.01 s'],
        case(("[1, 0, 0]", '["1/(t-0.01)", 0, 0]')), on_the_way=True),
]

# --- heat conduction -----------------------------------------------------------------------------------------------------
def heat(*replacements):
    return case(*replacements, text=HEAT)


def transient(*replacements):
    return case(*replacements, text=TRANSIENT)


def two_materials(m):
    m.names = [(1, 1, "lid"), (1, 2, "wall"), (2, 3, "steel"), (2, 4, "rubber")]
    for e in m.elements[32:]:
        e.group, e.entity = 4, 2


def in_no_group(m, first=17):
    for e in m.elements[first - 1:]:
        e.group, e.entity = 0, 2


def far_square_of_its_own(m):
    m.names.append((1, 4, "far"))
    for e in m.elements[48:]:
        if e.type == LINE:
            e.group, e.entity = 4, 4


def sheared(m):
    for node in m.nodes:
        node[1] += 3 * node[2]


PARTS = mesh(far_square_of_its_own, made=lambda: two_squares(touch=False))
UNDETERMINED = r'is not determined: its boundary has neither type = "temperature" nor "convection", so that any constant may be added to it; give one, or add'
HEAT_ROWS = [
    Row("heat: what belongs to a flow", [r"`flow` and `heat` in the case \(.*case.toml:10\): found both, expected exactly one",
                                         r'`conductivity` in \[heat\] \(.*:4\): found -1, expected a number greater than 0',
                                         r'\n`type` in \[boundary.wall\] \(.*:9\): "wall" belongs to \[flow\]\n',
                                         r"\n`\[solver.potential\]` \(.*:12\) belongs to \[flow\]"],
        heat(("= 50", "= -1"), ('"insulated"', '"wall"'), ("", "[flow]\nviscosity = 1\n[solver.potential]\ntolerance = 1e-4\n"))),
    Row("heat: what belongs to heat", [r'`type` in \[boundary.wall\] \(.*:12\): "temperature" belongs to \[heat\]'],
        case(('wall]\ntype = "wall"', 'wall]\ntype = "temperature"'))),
    Row("heat: a steady case with a past", [r"nothing in \[heat.conductivity\] \(.*:4\): expected a value for each volume group .*\n"
                                            r"`\[initial\]` \(.*:10\) belongs to a transient run: add \[time\], or leave it out"],
        heat(("= 50\n", "= {}\n"), ("", "[initial]\ntemperature = 290\n"))),
    Row("heat: a transient case without capacity, step and start", [r"missing table \[initial\] \(.*case.toml\): expected `temperature`",
                                                                    r"missing key `heat_capacity` in \[heat\] \(.*:3\): expected a number greater than 0",
                                                                    r"`cfl` in \[time\] \(.*:12\) belongs to \[flow\]; heat conduction takes a `step` in s"],
        transient(("step = 0.01", "cfl = 1"), ("heat_capacity = 1e5\n", ""), ("[initial]\ntemperature = 290\n", ""))),
    Row("heat: volume groups", [r"case.toml: `conductivity` in \[heat\]: the mesh has no volume group `stel` \(did you mean `steel`\?\); its groups: `steel`, `rubber`\n"
                                r".*case.toml: `conductivity` in \[heat\]: no value for the mesh's volume group `steel`\n"
                                r".*case.toml: `source` in \[heat\]: no value for the mesh's volume group `rubber`$"],
        heat(("= 50\n", "= { stel = 50, rubber = 0.2 }\nsource = { steel = 1 }\n")), files=mesh(two_materials)),
    Row("heat: volume groups in time", [r"case.toml: `heat_capacity` in \[heat\]: the mesh has no volume group `air`; its groups: `steel`, `rubber`\n"],
        transient(("= 1e5", "= { steel = 1e5, air = 1 }")), files=mesh(two_materials)),
    Row("a solid beside a flow that is not there", [r"case.toml: \[region.stel\]: the mesh has no volume group of this name \(did you mean `steel`\?\); its groups: `steel`, `rubber`$"],
        case(("", '[temperature]\ndiffusivity = 1\n[region.stel]\nsolid = true\nconductivity = 1\nheat_capacity = 1\n[initial]\ntemperature = 0\n')), files=mesh(two_materials)),
    Row("heat: cells in no group", [r"case.toml: `conductivity` in \[heat\]: cells of the mesh are in no volume group; its groups: `fluid`$"],
        heat(("= 50\n", "= { fluid = 50 }\n")), files=mesh(lambda m: in_no_group(m, 41))),
    Row("heat: a mesh without volume groups", [r"`source` in \[heat\]: the mesh has no volume group `steel`; the mesh has none\n"
                                               r".*`source` in \[heat\]: cells of the mesh are in no volume group; the mesh has none$"],
        heat(("= 50\n", "= 50\nsource = { steel = 50 }\n")), files=mesh(in_no_group)),
    Row("heat: insulated all around", [r"case.toml: the steady temperature of the body " + UNDETERMINED],
        heat(('type = "temperature"\nvalue = 300', 'type = "flux"\nvalue = 1'))),
    Row("heat: convection that is none", [r"case.toml: the steady temperature of the body " + UNDETERMINED],
        heat(('type = "temperature"\nvalue = 300', 'type = "convection"\ncoefficient = "0*x"\nambient = 300'))),
    Row("heat: a part that nothing holds", [r"case.toml: the steady temperature of the part of 32 cells at \(2\.\d+, 0\.\d+, 0\) " + UNDETERMINED],
        heat(("", '[boundary.far]\ntype = "flux"\nvalue = 1\n')), files=PARTS),
    Row("heat: parts that are held", [r"warning: the mesh falls into 2 parts .* domain of its own; no heat goes from one to the other", r"Steady after \d+ iterations"],
        heat(("", '[boundary.far]\ntype = "convection"\ncoefficient = "max(0, y-0.9)"\nambient = 1\n')), files=PARTS, code=0),
    Row("heat: a conductivity that is negative", [r'case.toml: `conductivity` in \[heat\]: "y-0.5" is -0.\d+ at \([\d.]+, 0.[0-4]\d*, 0\) m, t = 0 s; expected a value greater than 0$'],
        heat(("= 50\n", '= "y-0.5"\n'))),
    Row("heat: a conductivity that is negative in one group", [r'case.toml: `conductivity` in \[heat\]: "0\*x" is 0 at \(.*\) m, t = 0 s; expected a value greater than 0$'],
        heat(("= 50\n", '= { steel = 1, rubber = "0*x" }\n')), files=mesh(two_materials)),
    Row("heat: a heat capacity that is negative", [r'case.toml: `heat_capacity` in \[heat\]: "x-2" is -[\d.]+ at \(.*\) m, t = 0 s; expected a value greater than 0$'],
        transient(("= 1e5", '= "x-2"'))),
    Row("heat: a conductivity that becomes negative", [r'case.toml: `conductivity` in \[heat\]: "1-60\*t" is -0.2 at \(.*\) m, t = 0.02 s; expected a value greater than 0$'],
        transient(("= 50\n", '= "1-60*t"\n')), on_the_way=True),
    Row("heat: a heat capacity that becomes negative", [r'case.toml: `heat_capacity` in \[heat\]: "1-60\*t" is -0.2 at \(.*\) m, t = 0.02 s; expected a value greater than 0$'],
        transient(("= 1e5", '= "1-60*t"')), on_the_way=True),
    Row("heat: a coefficient that is negative", [r'case.toml: `coefficient` in \[boundary.wall\]: "y-0.5" is -0.\d+ at \([\d.]+, 0[\d.]*, 0\) m, t = 0 s; expected a value of at least 0$'],
        heat(('"insulated"', '"convection"\ncoefficient = "y-0.5"\nambient = 280'))),
    Row("heat: a coefficient that becomes negative", [r'case.toml: `coefficient` in \[boundary.wall\]: "1-60\*t" is -0.2 at \(.*\) m, t = 0.02 s; expected a value of at least 0$'],
        transient(('"insulated"', '"convection"\ncoefficient = "1-60*t"\nambient = 280')), on_the_way=True),
    Row("heat: a conductivity that is infinite", [r'`conductivity` in \[heat\] \(.*:4\): expression "1/\(x-x\)" is (infinite|not a number) at x = .* t = 0 s; a finite value is expected'],
        heat(("= 50\n", '= "1/(x-x)"\n'))),
    Row("heat: a temperature that is infinite", [r'`value` in \[boundary.lid\] \(.*:7\): expression "1/\(x-0.5\)" is infinite at x = 0.5, y = 1, z = 0 m, t = 0 s; a finite'],
        heat(("= 300", '= "1/(x-0.5)"'))),
    Row("heat: a source that turns infinite", [r'`source` in \[heat\] \(.*:5\): expression "1/\(t-0.01\)" is infinite at .* t = 0.01 s; a finite value is expected'],
        transient(("= 50\n", '= 50\nsource = "1/(t-0.01)"\n')), on_the_way=True),
    Row("heat: a start that is no number", [r'`temperature` in \[initial\] \(.*:15\): expression "sqrt\(-1-x\)" is not a number at'], transient(("= 290", '= "sqrt(-1-x)"'))),
    Row("heat: a line outside a body", [r"\[\[line\]\] `a`: the point \(0, 2, 0.5\) and 4 more lie outside the mesh, which reaches from \(0, 0, 0\) to \(1, 1, 1\) m"],
        heat(("", '[[line]]\nname = "a"\nfrom = [0, 2, 0.5]\nto = [1, 2, 0.5]\npoints = 5\n')), files=BODY),
    Row("heat: tracers in a body", [r"`\[\[tracer\]\]` \(.*\) belongs to \[flow\]"],
        heat(("", '[[tracer]]\nname = "a"\npoints = [[0.5, 0.5, 0.5]]\n')), files=BODY),
    Row("heat: a probe outside a body", [r"`points` of \[\[probe\]\] `far`: the point \(0.5, 0.5, -1\) lies outside the mesh, which reaches"],
        heat(("", '[[probe]]\nname = "far"\npoints = [[0.5, 0.5, 0.5], [0.5, 0.5, -1]]\n')), files=BODY),
    Row("heat: a solver that does not converge", [r"\[solver.heat\] did not converge: raise max_iterations, set preconditioner = \"multigrid\", take a looser tolerance, or check the mesh's worst cells "
                                                  r"\(solenoid check\); a smaller `step` in \[time\] helps a transient run \(CG, preconditioner jacobi: 3 iterations of at most 3, residual"],
        heat(('"insulated"', '"convection"\ncoefficient = 20\nambient = "300*x"'), ("", "[solver.heat]\nmax_iterations = 3\npreconditioner = \"jacobi\"\n")), code=1),
    Row("heat: temperatures beyond their bounds", [r"warning: the temperature leaves what its boundary and initial values allow, 290 to 300 K, at 1 node, farthest at "
                                                   r"\(.*\): it reaches from 289.99\d+ to 300 K\. \d+ of the mesh's 52 pairs of neighbouring nodes pull apart"],
        transient(("step = 0.01", "step = 1e-4"), ("end = 0.03", "end = 2e-4")), files=mesh(sheared), code=0),
    Row("heat: temperatures that are not finite", [r"\[solver.heat\] met a value that is not finite: check that none of the temperatures"],
        heat(("= 50\n", "= 1e-5\nsource = 1e305\n")), code=1),
]

# --- water waves ---------------------------------------------------------------------------------------------------------
GRID = b"ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 0.5\n1 1\n1 1\n"


def water(*replacements):
    return case(*replacements, text=WATER_WAVES)


WATER_ROWS = [
    Row("water waves: what belongs to other waves", [r"`wave` and `waves` in the case \(.*case.toml:13\): found both, expected exactly one",
                                                     r'`type` in \[boundary.wall\] \(.*:9\): "free" belongs to \[wave\]',
                                                     r"`\[solver.wave\]` \(.*:15\) belongs to \[wave\]"],
        water(('"quay"', '"free"'), ("", "[wave]\nspeed = 1\n[solver.wave]\ntolerance = 1e-4\n"))),
    Row("water waves: what belongs to water", [r'`type` in \[boundary.wall\] \(.*:12\): "quay" belongs to \[waves\]'],
        case(('wall]\ntype = "wall"', 'wall]\ntype = "quay"'))),
    Row("water waves: land in the mesh", [r"`depth` in \[waves\] is -\S+ m at \(\S+, \S+\), expected a depth above 0: land is no part of the mesh"],
        water(("depth = 1", 'depth = "x - 0.5"'))),
    Row("water waves: a current as fast as waves", [r"`velocity` in \[waves\] is 3.2 m/s at \(\S+, \S+\), and long waves have 3.13\d m/s there: the Froude number is 1.02"],
        water(("depth = 1", "depth = 1\nvelocity = [3.2, 0, 0]"))),
    Row("water waves: waves that cannot run against a current", [r"waves of a period of 0.2 s cannot run against the current of `velocity` in \[waves\] at the boundary near"],
        water(("depth = 1", "depth = 1\nvelocity = [0, 2.5, 0]"), ("", "[[boundary.lid.incoming]]\nheight = 1\nperiod = 0.2\ndirection = -90\n"))),
    Row("water waves: a current of nowhere", [r"`velocity` in \[waves\]: river: no such folder: expected the result folder of an earlier run"],
        water(("depth = 1", 'depth = 1\nvelocity = { result = "river" }'))),
    Row("water waves: steps that are too long", [r"`step` in \[time\] is 1 s: steps of more than \S+ s may be unstable on this mesh; take \S+ s, or `cfl = 0.7`"],
        water(("step = 0.01", "step = 1"), ("end = 0.02", "end = 2"))),
    Row("water waves: tetrahedra", [r"\[waves\] is for triangles in the plane of the still surface, and the mesh has tetrahedra"],
        water(), files={"mesh.msh": cube().text("4.1")}),
    Row("water waves: a mesh beyond the depths", [r"`depth` in \[waves\]: bay.asc has no value at \(\S+, \S+\), which is in the mesh"],
        water(("depth = 1", 'depth = { file = "bay.asc" }')), files={"mesh.msh": square().text("2.2"), "bay.asc": GRID}),
    Row("water waves: depths of another format", [r'`file` in \[waves.depth\] \(.*:4\): found "bay.asc", expected depths \(line 6: found a, expected a number\)'],
        water(("depth = 1", 'depth = { file = "bay.asc" }')), files={"bay.asc": GRID.replace(b"1 1\n1 1", b"1 a\n1 1")}),
    Row("water waves: a zone along no boundary", [r'`patches` in \[\[zone\]\] \(.*:14\): found \["shore"\], expected groups of \[boundary\]: "lid", "wall"'],
        water(("", '[[zone]]\npatches = ["shore"]\nwidth = 1\n'))),
    Row("water waves: a zone along groups of different waves", [r'`patches` in \[\[zone\]\] \(.*:18\): found \["lid", "wall"\], expected groups with the same incoming waves'],
        water(("", '[[boundary.lid.incoming]]\nheight = 1\nperiod = 2\ndirection = -90\n[[zone]]\npatches = ["lid", "wall"]\nwidth = 1\n'))),
    Row("water waves: a zone that is narrower than a cell", [r"case.toml: `width` in \[\[zone\]\] along `lid` is 0.01 m, and faces there are up to \S+ m long"],
        water(("", '[[zone]]\npatches = ["lid"]\nwidth = 0.01\n'))),
    Row("water waves: a direction out of the domain", [r"case.toml: `direction` in \[\[boundary.lid.incoming\]\] is 90 degrees, out of the domain or along all of `lid`"],
        water(("", '[[boundary.lid.incoming]]\nheight = 1\nperiod = 2\ndirection = 90\n'))),
    Row("water waves: soundings on one line", [r'`file` in \[waves.depth\] \(.*:4\): found "bay.xyz", expected depths \(has all points on one line'],
        water(("depth = 1", 'depth = { file = "bay.xyz" }')), files={"bay.xyz": b"0 0 1\n1 1 1\n2 2 1\n"}),
    Row("water waves: a ship that is nowhere", [r'`position` in \[\[ship\]\] \(.*:18\): expression "sqrt\(0.005-t\)" is not a number at .*t = 0.01 s'],
        water(("", '[[ship]]\nname = "a"\nlength = 0.5\nbeam = 0.3\ndraught = 0.1\nposition = ["sqrt(0.005-t)", 0.5, 0]\n')), on_the_way=True),
    Row("elimination of another system", [r'`preconditioner` in \[solver.pressure\] \(.*\): "elimination" is for \[solver.elliptic\] of \[waves\]'],
        case(("[time]\n", '[solver.pressure]\npreconditioner = "elimination"\n[time]\n'))),
    Row("water waves: a solver that does not converge", [r"\[solver.elliptic\] did not converge: raise max_iterations"],
        water(("", '[initial]\npotential = "sin(5*x)"\n[solver.elliptic]\nmax_iterations = 1\npreconditioner = "none"\n')), code=1),
]

# --- what cannot be measured ---------------------------------------------------------------------------------------------
def measured(*words):
    return ("bench", *words)


BENCH_ROWS = [
    Row("bench of an unknown name", [r"there is no benchmark `gradeint` \(did you mean `gradient`\?\); there are triad, copy, axpy, .*cg/momentum/jacobi"],
        words=measured("dot", "gradeint", "--square", "4")),
    Row("bench of a part of a name", [r"there is no benchmark `cg/press`.*; there are triad"], words=measured("cg/press", "--square", "4")),
    Row("bench of an unknown option", [r"unknown option `--squares`; did you mean `--square`\?.*see solenoid --help"], words=measured("--squares", "4")),
    Row("bench without a mesh", [r"no mesh to measure on: give one of --mesh FILE, --square N .* and --cube N"], words=measured()),
    Row("bench with two meshes", [r"more than one mesh: give one of --mesh FILE, --square N"], words=measured("--square", "4", "--cube", "2")),
    Row("bench with a mesh and a square", [r"more than one mesh: give one of"], words=measured("--mesh", "mesh.msh", "--square", "4")),
    Row("bench with a size for a square", [r"--size is for a .geo given with --mesh"], words=measured("--square", "4", "--size", "0.1")),
    Row("bench with a size for a .msh", [r"mesh.msh: `size` .* is 0.1, but this file is meshed already"],
        words=measured("--mesh", "mesh.msh", "--size", "0.1")),
    Row("bench of no cells", [r"--square: Value 0 not in range 1 to 20000"], words=measured("--square", "0")),
    Row("bench of too many cells", [r"--cube: Value 601 not in range 1 to 600"], words=measured("--cube", "601")),
    Row("bench of a word for a number", [r"--square: Value many not in range"], words=measured("--square", "many")),
    Row("bench of half a triangle", [r"--square: Value 1.5 not in range"], words=measured("--square", "1.5")),
    Row("bench for no time", [r"--seconds: .*0 "], words=measured("--square", "4", "--seconds", "0")),
    Row("bench for a word of time", [r"--seconds: .*long"], words=measured("--square", "4", "--seconds", "long")),
    Row("bench with figures for no folder", [r"--json no/such/bench.json: cannot be written: No such file or directory"],
        words=measured("--square", "4", "--json", "no/such/bench.json")),
    Row("bench with a file for a folder", [r"--json case.toml/bench.json: cannot be written: Not a directory"],
        words=measured("--square", "4", "--json", "case.toml/bench.json")),
    Row("bench with figures without a name", [r"--json: expected a name, found nothing"], words=measured("--square", "4", "--json", "")),
    Row("bench with a folder for a file", [r"--json \.: is a folder; expected a file to write"], words=measured("--square", "4", "--json", ".")),
    Row("bench on no such mesh", [r"mash.msh: the mesh file does not exist: did you mean `.*mesh.msh`"], words=measured("--mesh", "mash.msh")),
    Row("bench on another kind of file", [r"case.toml: not a mesh I read: expected .geo .* found `.toml`$"], words=measured("--mesh", "case.toml")),
    Row("bench on a mesh that was cut off", [r"mesh.msh:\d+: \$\w+"], files=cut("2.2", 0.7), words=measured("--mesh", "mesh.msh")),
    Row("bench with matrices for a file", [r"case.toml"], words=measured("--square", "4", "--matrices", "case.toml/made"), code=1),
]

TABLES = {"case file, expressions and options": CASE_ROWS, "boundary groups": GROUP_ROWS, "mesh files": FILE_ROWS,
          "shapes": SHAPE_ROWS, "computations": FAILURE_ROWS, "heat": HEAT_ROWS, "water waves": WATER_ROWS,
          "measurements": BENCH_ROWS}
CRASHED = re.compile(r"terminate called|Traceback|Signal|Segmentation|MPI_A[Bb][Oo][Rr][Tt]|Assertion|Sanitizer")


repeated = []


def limit_run():
    resource.setrlimit(resource.RLIMIT_AS, (MOST_ADDRESSES, MOST_ADDRESSES))
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))


def launch(ranks, words, folder):
    """Runs the program in a folder; returns its exit code, screen, errors, processor time [s] and the bytes of its largest
    rank. Open MPI 4.1 itself now and then crashes in MPI_Finalize on a busy machine, when all is said (a late event finds
    its memory freed): a run that had said what it had to say is then repeated once and counted."""
    answer = launch_once(ranks, words, folder)
    code, out, err = answer[:3]
    crashed = code in (134, 139) or "*** Process received signal ***" in err  # mpirun may return another rank's code
    if crashed and (err.startswith("error: ") or "Done at" in out) and "terminate called" not in err:
        repeated.append(words)
        answer = launch_once(ranks, words, folder)
    return answer


def launch_once(ranks, words, folder):
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        launcher = [options.mpiexec, "--quiet", "-n", str(ranks)] if ranks > 1 else []
        process = subprocess.Popen([*launcher, options.solenoid, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                   env={"OMP_NUM_THREADS": "1", **os.environ, "SOLENOID_TEST_SECONDS": str(MOST_SECONDS)},
                                   preexec_fn=limit_run)
        killer = threading.Timer(PATIENCE, process.terminate)  # mpirun ends its ranks
        killer.start()
        _, status, usage = os.wait4(process.pid, 0)
        killer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
    return process.returncode, *texts, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def faults_of_row(row, ranks):
    """What is wrong with the program's answer to a row: a list of texts, empty if all is right."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = {"case.toml": row.case, "mesh.msh": square().text("2.2")} if not row.files else {"case.toml": row.case}
        for file, content in {**files, **row.files}.items():
            (folder / file).parent.mkdir(exist_ok=True)
            (folder / file).write_bytes(content if isinstance(content, bytes) else content.encode())
        words = row.words or ("run", "case.toml", "--output", "out", *(w for s in row.sets for w in ("--set", s)))
        before = {p.name for p in folder.iterdir()}
        code, out, err, seconds, size = launch(ranks, words, folder)
        made = {p.name for p in folder.iterdir()} - before
    faults = []
    text = err if row.code else out
    if code != row.code:
        faults.append(f"exit code {code}, expected {row.code}")
    if row.code and (not err.startswith("error: ") or len(re.findall(r"^error", err, re.MULTILINE)) != 1):
        faults.append("expected one message that starts with `error: `")
    if not row.code and err:
        faults.append("an error where all should be well")
    faults += [f"expected /{e}/" for e in row.expected if not re.search(e, text)]
    if CRASHED.search(err):
        faults.append("a crash")
    if row.code == 2 and made and not row.on_the_way:
        faults.append(f"made {made}")
    if seconds > MOST_SECONDS:
        faults.append(f"took {seconds:.0f} s of processor time")
    if size > MOST_BYTES:
        faults.append(f"took {size / 1e6:.0f} MB")
    return faults and [f"{row.name}, {ranks} ranks: " + "; ".join(faults) + f"\n--- screen\n{out}--- errors\n{err}"]


def faults_of_damage(format, seed):
    """The same for a mesh with random damage: it is read or refused."""
    content = damaged(square().text(format), seed)
    with tempfile.TemporaryDirectory() as name:
        Path(name, "case.toml").write_text(CASE)
        Path(name, "mesh.msh").write_bytes(content)
        code, out, err, seconds, size = launch_once(1, ("run", "case.toml", "--output", "out", "--set", "time.end=0.01"), name)
    well = code == 0 and not err or code == 2 and len(re.findall(r"^error", err, re.MULTILINE)) == 1
    if well and not CRASHED.search(err) and seconds <= MOST_SECONDS and size <= MOST_BYTES:
        return []
    return [f"{format} with damage {seed}: exit code {code}, {seconds:.1f} s, {size / 1e6:.0f} MB\n{err}"]


class Messages(unittest.TestCase):
    def test_every_kind_of_message(self):
        rows = [row for table in TABLES.values() for row in table if re.search(options.only, row.name)]
        names = [row.name for row in rows]
        self.assertEqual(len(names), len(set(names)))
        with concurrent.futures.ThreadPoolExecutor(options.workers) as pool:
            answers = [pool.submit(faults_of_row, row, ranks) for row in rows for ranks in (1, 3)]
            answers += [pool.submit(faults_of_damage, format, seed)
                        for format in FORMATS for seed in range(DAMAGED_PER_FORMAT) if not options.only]
            faults = [fault for answer in answers for fault in answer.result()]
        print(f"{len(rows)} kinds of message provoked and checked, each on 1 and 3 ranks; "
              f"{len(answers) - 2 * len(rows)} damaged meshes read or refused; {len(repeated)} runs repeated", flush=True)
        self.assertLessEqual(len(repeated), 2, "so often it is not Open MPI")
        if faults:
            self.fail(f"{len(faults)} wrong answers\n" + "\n".join(faults))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--solenoid", required=True)
    parser.add_argument("--only", default="", help="a regular expression: the rows to run, by name")
    parser.add_argument("--workers", type=int, default=12,
                        help="runs at a time: mpirun waits a second or two for nothing where a rank ends with another code than 0")
    options, rest = parser.parse_known_args()
    options.solenoid = str(Path(options.solenoid).resolve())
    unittest.main(argv=[sys.argv[0], *rest])
