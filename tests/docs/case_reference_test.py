"""The pages against the program: every key, default and word of the case file's pages, and every TOML block."""

import argparse
import copy
import json
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
TINY = ROOT / "meshes" / "tests" / "square-4.1.msh"
UNKNOWN = "zzqqzzqq"  # near no name
PUMP = "time [s],flow [m^3/s]\n0,0\n1,0\n"  # pump.csv beside each case
FOLDER = "the-case"  # that a case lies in: its title, if it has none
REFUSED = ("Not in this version:", "Of flow only:", "Of heat only:", "Of waves only:", "Of water waves only:", "Of flow and heat only:",
           "Of the classical method only:", "Of temperature and heat only:", "Of a `[[scalar]]` only:", "Of walls only:",
           "Of walls, inlets and openings only:")
SCALAR = "zscalar"  # its keys and words are its own, and in no table of a page, as the field of zones
LISTED = {  # entries of [[NAME]] on the tiny mesh
    "table": {"name": "zzq", "file": "pump.csv", "arguments": ["time"], "value": "flow"},
    "line": {"name": "a", "from": [0.25, 0.5, 0], "to": [0.75, 0.5, 0]},
    "probe": {"name": "a", "points": [[0.5, 0.5, 0]]},
    "integral": {"name": "a"},
    "section": {"name": "a", "plane": {"point": [0.5, 0.5, 0], "normal": [1, 0, 0]}},
    "plane": {"name": "a", "plane": {"point": [0.5, 0.5, 0], "normal": [1, 0, 0]}},
    "isosurface": {"name": "a", "value": 0.5},
    "average": {"name": "a"},
    "profile": {"name": "a", "points": 2},
    "force": {"name": "a"},
    "tracer": {"name": "a", "points": [[0.5, 0.5, 0]]},
    "periodic": {"patches": ["left", "right"]},
    "scalar": {"name": SCALAR, "diffusivity": 1},
    "zone": {"patches": ["lid"], "width": 0.6},
    "ship": {"name": "a", "length": 0.5, "beam": 0.2, "draught": 0.1, "position": ["0.1 + t", 0.5, 0]},
}
NOT_ON_TINY = {"periodic"}  # it has no such patches
BESIDE = {("[boundary.NAME] of type inlet", "profile"): {"flow_rate": 1},
          ("[boundary.NAME] of type inlet", "seen_from"): {"velocity": [1, 0, 0]},
          ("[boundary.NAME] of type opening", "seen_from"): {"total_pressure": 1}}  # keys that a word needs beside it
options = None


@dataclass
class Method:
    """A page of reference, and how to make cases of what it describes."""

    page: Path
    least: dict  # the least that a case on the tiny mesh must say; tables by name, to be laid under what a page shows
    empty: dict  # as little, so that every required key is missing
    places: dict  # table of the page -> path in a case, where they differ
    solvers: tuple
    at_nodes: str  # a field of its isosurfaces

    def place(self, table):
        return self.places.get(table, table.strip("[]").split("."))

    def entry(self, name):
        """A [[name]] on the tiny mesh."""
        return LISTED[name] | ({"field": self.at_nodes} if name == "isosurface" else {})

    def header(self, table):
        return "[[" + table.strip("[]") + "]]" if table.startswith("[[") else "[" + ".".join(self.place(table)) + "]"


FLOW = Method(
    ROOT / "docs" / "case-file.md",
    least={
        "mesh": {"file": str(TINY)},
        "flow": {"viscosity": 1},
        "time": {"end": 1, "step": 0.1},
        "boundary": {"lid": {"type": "wall"}, "wall": {"type": "wall"}},
        "temperature": {"diffusivity": 1},
        "region": {"fluid": {}},
        "zone": {"filter": {"box": {"min": [0, 0, 0], "max": [1, 1, 0]}, "darcy": 1}},
        "initial": {"temperature": 0},
    },
    empty={"mesh": {}, "flow": {}, "temperature": {}, "region": {"fluid": {}}, "initial": {}, "time": {"step": 1},
           "boundary": {"wall": {}, "door": {"type": "opening"}}},
    places={"[boundary.NAME]": ["boundary", "wall"], "[boundary.NAME] of type inlet": ["boundary", "entry"],
            "[boundary.NAME] of type outlet": ["boundary", "exit"],
            "[boundary.NAME] of type opening": ["boundary", "door"],
            "[region.NAME]": ["region", "fluid"], "[zone.NAME]": ["zone", "filter"], "[solver.NAME]": ["solver", "pressure"]},
    solvers=("potential", "vorticity", "pressure", "heat", "scalar"),
    at_nodes="velocity",
)
TYPES = ("temperature", "flux", "convection")
HEAT = Method(
    ROOT / "docs" / "case-file-heat.md",
    least={
        "mesh": {"file": str(TINY)},
        "heat": {"conductivity": 1, "heat_capacity": 1},
        "time": {"end": 1, "step": 0.1},
        "initial": {"temperature": 0},
        "boundary": {"lid": {"type": "temperature", "value": 0}, "wall": {"type": "insulated"}},
    },
    empty={"mesh": {"file": str(TINY)}, "heat": {"heat_capacity": 1}, "time": {}, "initial": {},
           "boundary": {"wall": {}} | {name: {"type": name} for name in TYPES}},
    places={"[boundary.NAME]": ["boundary", "wall"]}
    | {f"[boundary.NAME] of type {name}": ["boundary", name] for name in TYPES},
    solvers=("heat",),
    at_nodes="temperature",
)
WAVE = Method(
    ROOT / "docs" / "case-file-wave.md",
    least={
        "mesh": {"file": str(TINY)},
        "wave": {"speed": 1},
        "time": {"end": 1, "step": 0.1},
        "boundary": {"lid": {"type": "displacement"}, "wall": {"type": "free"}},
    },
    empty={"mesh": {"file": str(TINY)}, "wave": {}, "time": {"step": 1}, "boundary": {"wall": {}}},
    places={"[boundary.NAME]": ["boundary", "wall"],
            "[boundary.NAME] of type displacement": ["boundary", "lid"]},
    solvers=("wave",),
    at_nodes="displacement",
)
WATER_WAVES = Method(
    ROOT / "docs" / "case-file-waves.md",
    least={
        "mesh": {"file": str(TINY)},
        "waves": {"depth": 1, "period": 2},
        "time": {"end": 1, "step": 0.02},
        "boundary": {"lid": {"type": "open"}, "wall": {"type": "quay"}},
    },
    empty={"mesh": {"file": str(TINY)}, "waves": {}, "time": {"step": 1}, "boundary": {"wall": {}}},
    places={"[boundary.NAME]": ["boundary", "wall"],
            "[boundary.NAME] of type open": ["boundary", "lid"]},
    solvers=("elliptic",),
    at_nodes="elevation",
)
METHODS = (FLOW, HEAT, WAVE, WATER_WAVES)


def without_scalar(value):
    return [word for word in value if not str(word).startswith(SCALAR) and word != "zone"] if isinstance(value, list) else value


def has_hypre():
    """Whether the program was built with hypre, and knows the preconditioner that takes it."""
    version = subprocess.run([options.solenoid, "--version"], capture_output=True, text=True, check=True).stdout
    return "hypre: no" not in version


def as_toml(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)} = {as_toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(as_toml, value)) + "]"
    return json.dumps(value)


def run(case, *words):
    """Runs a case, given as tables or as text; returns the exit code, standard error, and summary.json or None."""
    text = case if isinstance(case, str) else "".join(f"{k} = {as_toml(v)}\n" for k, v in case.items())
    with tempfile.TemporaryDirectory() as folder:
        file, output = Path(folder, FOLDER, "case.toml"), Path(folder, "result")
        file.parent.mkdir()
        file.write_text(text)
        (file.parent / "pump.csv").write_text(PUMP)
        done = subprocess.run(
            [options.solenoid, "run", str(file), "--output", str(output), *words],
            capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=folder,
        )
        summary = output / "summary.json"
        return done.returncode, done.stderr, json.loads(summary.read_text()) if summary.exists() else None


def case_with(method, words):
    """The least case with these words; keys are (table of the page, key). Where a key takes a list it is of one."""
    case = copy.deepcopy(method.least)
    case.update({name: [method.entry(name)] for name in LISTED})
    for (table, key), word in words.items():
        place = case
        for step in method.place(table):
            place = place.setdefault(step, {})
        (place[0] if table.startswith("[[") else place)[key] = [word] if key == "fields" else word
        if (table, key) in BESIDE:
            place.update(BESIDE[table, key])
        if " of type " in table:
            place["type"] = table.split()[-1]
    return case


def in_quotes(text):
    return re.findall(r'`"([^"`]+)"`', text)


def in_code(text):
    return re.findall(r"`([^`]+)`", text)


def refused_in(text):
    """The names in code after each "Not in this version:" and its like, up to the end of the sentence or paragraph."""
    found = []
    for marker in REFUSED:
        for part in text.split(marker)[1:]:
            found += in_code(re.split(r"\.(?:\s|$)|\n\n|\|", part)[0])
    return found


class Key:
    def __init__(self, row):
        name, kind, default, meaning = (cell.strip() for cell in row.strip().strip("|").split(" | "))
        self.name = name.strip("`")
        self.required = default == "required"
        self.optional = default == "off"
        self.defaults = [] if self.required or self.optional else in_code(default)
        self.words = in_quotes(kind)
        self.refused = [word.strip('"') for word in refused_in(meaning)]


class Section:
    """One `## `[table]`` of the reference: its keys, and the names that it says are refused outside the table."""

    def __init__(self, text):
        rows = [line for line in text.splitlines() if line.startswith("| `")]
        self.keys = {key.name: key for key in map(Key, rows)}
        prose = "\n".join(line for line in text.splitlines() if not line.startswith("|"))
        self.refused = refused_in(re.sub(r"(?<!\n)\n(?!\n)", " ", prose))


def read_reference(page):
    parts = re.split(r"^## (.+)$", page.read_text(), flags=re.M)
    sections = dict(zip(parts[1::2], parts[2::2]))
    tables = {name.replace("`", ""): Section(text) for name, text in sections.items() if name.startswith("`[")}
    tables["case"] = Section(sections["The case"])
    return tables


class Reference:
    """The tests of one page, for the classes below."""

    method = None

    @classmethod
    def setUpClass(cls):
        cls.tables = read_reference(cls.method.page)
        case = copy.deepcopy(cls.method.least)
        case["title"] = "x"
        case[UNKNOWN] = 1
        for table in cls.tables:
            if table in ("case", "[zone.NAME]") or table.startswith("[["):
                continue
            place = case
            for step in cls.method.place(table):
                place = place.setdefault(step, {})
            place[UNKNOWN] = 1
            if " of type " in table:
                place["type"] = table.split()[-1]
        case.setdefault("solver", {})[UNKNOWN] = 1
        arrays = [name.strip("[]") for name in cls.tables if name.startswith("[[")]
        listed = copy.deepcopy(cls.method.least) | {name: [cls.method.entry(name) | {UNKNOWN: 1}] for name in arrays}
        if "[zone.NAME]" in cls.tables:
            listed["zone"]["filter"][UNKNOWN] = 1
        cls.unknown = ""
        for faulty in (case, listed):  # of more faults than these together the program shows no more
            code, text, _ = run("".join(f"{k} = {as_toml(v)}\n" for k, v in faulty.items()))
            assert code == 2, text
            cls.unknown += text

    def known(self, place):
        """The keys that the program says it knows at a place of the case."""
        found = re.search(rf"unknown key `{UNKNOWN}`{re.escape(place)} \([^)]*\): known are (.*)", self.unknown)
        self.assertTrue(found, f"{place!r} in {self.unknown}")
        return {name for name in in_code(found[1]) if not name.startswith(SCALAR)}

    def test_every_key_of_the_program_is_in_the_reference_and_the_other_way_round(self):
        for table, section in self.tables.items():
            with self.subTest(table=table):
                if table == "case":
                    tables = {name.strip("[]").split(".")[0] for name in self.tables if name[0] == "[" and " " not in name}
                    self.assertEqual(self.known(""), set(section.keys) | tables | set(section.refused) | {"flow", "heat", "wave", "waves", "mesh"})
                    continue
                shared = {"type"} if " of type " in table else set()
                refused = set() if "solver" in table else set(section.refused)
                self.assertEqual(self.known(" in " + self.method.header(table)), set(section.keys) | shared | refused)
        solvers = next(section for name, section in self.tables.items() if name.startswith("[solver."))
        self.assertEqual(self.known(" in [solver]"), set(self.method.solvers) | set(solvers.refused))

    def test_every_default_is_what_a_case_gets_that_does_not_say(self):
        case = dict(self.method.least, checkpoint={}, **{table.strip("[]"): [self.method.entry(table.strip("[]"))] for table in self.tables if "[[" in table
                                         and table.strip("[]") not in NOT_ON_TINY})
        code, error, summary = run(case)
        self.assertEqual(code, 0, error)
        effective = summary["case"]
        self.assertEqual(effective["title"], FOLDER)
        places = [(table, self.method.place(table)) for table in self.tables if table != "case" and " of type " not in table
                  and table.strip("[]") not in NOT_ON_TINY]
        places += [("[solver.NAME]", ["solver", name]) for name in self.method.solvers if "[solver.NAME]" in self.tables]
        for table, path in places:
            got = effective
            given = self.method.least
            for step in path:
                got = got[step]
                given = given.get(step, {}) if isinstance(given, dict) else {}
            got = got[0] if isinstance(got, list) else got
            got = {key: without_scalar(value) for key, value in got.items() if not key.startswith(SCALAR)}
            for key in self.tables[table].keys.values():
                with self.subTest(table=path, key=key.name):
                    if key.name in given or (key.optional and key.name in LISTED.get(path[0], {})):
                        continue  # the case gives it: the step of a flow, the heat capacity of a transient run
                    if key.optional:
                        self.assertIn(got.get(key.name), (None, 0))
                    elif not key.required and key.name == "patches" and not key.defaults:
                        self.assertEqual(got[key.name], sorted(self.method.least["boundary"]))
                    elif not key.required:
                        # more than one: "`1e-8`, for `vorticity` `1e-10`"
                        default = key.defaults[2] if len(key.defaults) > 1 and key.defaults[1] == path[-1] else key.defaults[0]
                        if default == "end / 10":
                            default = str(float(self.method.least["time"]["end"]) / 10)
                        self.assertEqual(got[key.name], tomllib.loads("x = " + default)["x"])
            self.assertLessEqual(set(got), set(self.tables[table].keys))

    def test_required_keys_are_required_and_no_others(self):
        missing = set()
        arrays = [{table.strip("[]"): [{}]} for table in self.tables if table.startswith("[[")]
        first, second = ({name: entry for one in half for name, entry in one.items()} for half in (arrays[::2], arrays[1::2]))
        for case in (self.method.empty, self.method.least | first, self.method.least | second):  # the program shows no more faults
            code, error, _ = run(case)
            self.assertEqual(code, 2)
            missing |= set(re.findall(r"missing key `(\w+)` in (\S+)", error))
        expected = {
            (key.name, self.method.header(table))
            for table, section in self.tables.items() for key in section.keys.values() if key.required
        }
        self.assertEqual(missing, expected)

    def closed_sets(self):
        """The keys that take words, as (table of the reference, key)."""
        return [(table, key) for table, section in self.tables.items() for key in section.keys.values() if key.words]

    def test_closed_sets_have_the_words_of_the_reference(self):
        left_out = set() if has_hypre() else {"boomeramg"}
        for of_a_type in (False, True):  # apart: an outlet takes words from other tables
            sets = [(table, key) for table, key in self.closed_sets() if (" of type " in table) == of_a_type]
            error = ""
            for few in (sets[::3], sets[1::3], sets[2::3]):  # the program shows no more faults
                if few:
                    code, text, _ = run(case_with(self.method, {(table, key.name): UNKNOWN for table, key in few}))
                    self.assertEqual(code, 2)
                    error += text
            for table, key in sets:
                with self.subTest(table=table, key=key.name):
                    place = re.escape(self.method.header(table))
                    expected = re.search(rf'`{key.name}` in {place} .*found "?{UNKNOWN}"?, expected (.*)', error)
                    self.assertTrue(expected, error)
                    self.assertEqual(set(without_scalar(re.findall(r'"([^"]+)"', expected[1]))), set(key.words) - left_out)

    def test_words_that_the_reference_calls_refused_are_refused_by_name(self):
        sets = self.closed_sets()
        for place in range(max(len(key.refused) for _, key in sets)):
            words = {(table, key.name): key.refused[place] for table, key in sets if place < len(key.refused)}
            code, error, _ = run(case_with(self.method, words))
            self.assertEqual(code, 2)
            for (table, key), word in words.items():
                with self.subTest(table=table, key=key, word=word):
                    self.assertRegex(error, rf'`{key}` .*"{word}" (is not available in this version|belongs to)')


class FlowReference(Reference, unittest.TestCase):
    method = FLOW


class HeatReference(Reference, unittest.TestCase):
    method = HEAT


class WaveReference(Reference, unittest.TestCase):
    method = WAVE


class WaterWavesReference(Reference, unittest.TestCase):
    method = WATER_WAVES


class Refused(unittest.TestCase):
    def test_every_word_that_the_reader_refuses_is_in_the_reference(self):
        sources = "".join(file.read_text() for file in (ROOT / "src" / "case").glob("*.cpp"))
        in_code_base = set(re.findall(r'\{"([a-z-]+)", not_available', sources))
        self.assertGreater(len(in_code_base), 0)
        tables = re.search(r"tables\{(.*?)\};", (ROOT / "src" / "case" / "physics_tables.cpp").read_text(), re.S)[1]
        of_boundaries = re.findall(r"`\",\s*\{([^}]*)\}", tables)  # behind the required keys
        self.assertEqual(len(of_boundaries), len(METHODS))
        in_code_base |= set(re.findall(r'"([a-z-]+)"', "".join(of_boundaries)))
        pages = [read_reference(method.page) for method in METHODS]
        on_the_pages = {word for tables in pages for s in tables.values() for key in s.keys.values() for word in key.refused}
        self.assertEqual(on_the_pages, in_code_base)


class Blocks(unittest.TestCase):
    def test_every_toml_block_of_the_pages_is_a_case_or_a_part_of_one(self):
        count = 0
        for page in PAGES:
            for block in re.findall(r"^ *```toml\n(.*?)^ *```", page.read_text(), flags=re.M | re.S):
                count += 1
                with self.subTest(page=page.name, block=block.splitlines()[0]):
                    shown = tomllib.loads(block)
                    least = {"mesh": HEAT.least["mesh"]} if {"heat", "wave", "waves"} & set(shown) else FLOW.least
                    left_out = set(shown) | {"temperature", "region", "zone", "initial"}  # of a flow whose temperature is not shown
                    head = "".join(f"{k} = {as_toml(v)}\n" for k, v in least.items() if k not in left_out)
                    code, error, _ = run(head + block, "--set", "mesh.file=there-is-no.msh")
                    # the one fault left is the mesh that is not there: the reader took every key and value
                    self.assertEqual(code, 2)
                    self.assertRegex(error, r"^error: \S*there-is-no\.msh: [^\n]*\n$")
        self.assertGreater(count, 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--solenoid", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
