"""The house rules that a compiler does not check: the order of the rooms, and where third-party headers may appear."""

import re
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "src"

# The rooms of each floor, lowest first; a floor without any is one room. A room includes only itself and those before it.
HOUSE = [
    ("base", []),
    ("parallel", []),
    ("mesh", []),
    ("io", ["tables", "msh", "foreign", "layers", "gmsh", "hdf5", "checkpoint", "paraview"]),
    ("field", []),
    ("operators", []),
    ("solve", []),  # its folders are parts of one room
    ("model", []),
    ("physics", ["nodal", "heat", "wave", "waves", "tracer", "flow/zones", "flow/boundary", "flow/reconstruct",
                 "flow/solenoidal", "flow/momentum", "flow/balance", "flow/step", "flow", "scalar"]),
    ("bench", []),
    ("case", []),
    ("run", ["mesh", "observe", "checkpoint", "result", "loop", "report"]),
    ("verify", []),
    ("app", []),
]
ROOMS = [f"{floor}/{room}" if room else floor for floor, rooms in HOUSE for room in rooms or [""]]

# Rooms before it that a room leaves alone: (path of the file, path of the header).
APART = [
    (r"(field|operators|solve|model|physics)/.*", r"io/.*"),
    (r"bench/.*", r"(model|physics)/.*"),
    (r"(case|run|verify)/.*", r"bench/.*"),
    (r"(run|verify)/.*", r"physics/(?!tracer/).*"),
]

# Headers that only certain files may include: (name, pattern of the header, those files).
SOLE_USERS = [
    ("Gmsh", r"gmshc?\.h.*", {"io/gmsh/gmsh_library.cpp"}),
    ("VTK", r"vtk.*", {"io/foreign/vtk_mesh.cpp", "io/paraview/piece_locator.cpp", "io/paraview/pvd_output.cpp",
                       "io/paraview/vtk_writer.cpp"}),
    ("HDF5", r"(hdf5|H5\w*)\.h", {"io/hdf5/hdf5_objects.hpp"}),
    ("zlib", r"zlib\.h", {"case/case_table.cpp", "run/report/picture.cpp"}),
    ("hypre", r"_?(HYPRE|hypre)\w*\.h", {"solve/boomeramg.cpp"}),
    ("toml++", r"toml(\+\+/.*|\.hpp|\.h)", {"case/toml_tree.cpp"}),
]

# nvcc cannot compile some of these, and a kernel file needs none of them.
NOT_IN_KERNEL_FILES = r"(fmt|spdlog|toml\+\+|nlohmann|CLI)/.*|toml\.hpp|gmshc?\.h.*|vtk.*|hdf5\.h|zlib\.h|muParser\.h|HYPRE\w*\.h"
LAUNCHES_KERNELS = re.compile(r"\b(forall|reduce_\w+|SOLENOID_KERNEL)\s*\(")

CUDA = re.compile(r"\b(SOLENOID_CUDA\w*|SOLENOID_LAUNCHES_KERNELS|__CUDACC__|__CUDA_ARCH__)\b|cuda_runtime")
CUDA_ALLOWED = re.compile(r"parallel/.*|base/real\.hpp")

LONGEST_FILE = 400  # lines
LONG_FILES = set()  # longer ones, each for a reason worth a line here

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def room_of(path):
    """The place of a file's room in ROOMS; None where it is in none."""
    folder = path.rpartition("/")[0]
    floor = folder.split("/")[0]
    for room in (folder, floor):
        if room in ROOMS:
            return ROOMS.index(room)
    return None


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)


def broken_order(path, text):
    own = room_of(path)
    if own is None:
        return [f"{path}: not in one of the rooms {' '.join(ROOMS)}"] if "/" in path else []
    broken = []
    for bracket, header in INCLUDE.findall(text):
        if bracket == "<" or "/" not in header:
            continue
        other = room_of(header)
        if other is None:
            broken.append(f'{path}: "{header}" is in no room; third-party headers go in angle brackets')
        elif other > own:
            broken.append(f'{path}: {ROOMS[own]} includes "{header}" of {ROOMS[other]}, which stands on it')
        elif any(re.fullmatch(who, path) and re.fullmatch(what, header) for who, what in APART):
            broken.append(f'{path}: {ROOMS[own]} includes "{header}", and knows nothing of {ROOMS[other]}')
    return broken


def stray_packages(path, text):
    stray = []
    for _, header in INCLUDE.findall(text):
        for name, pattern, users in SOLE_USERS:
            if re.fullmatch(pattern, header) and path not in users:
                stray.append(f"{path}: includes <{header}>; only {', '.join(sorted(users))} may use {name}")
    return stray


def packages_in_kernel_files(path, text):
    if not path.endswith((".cpp", ".cu")) or not LAUNCHES_KERNELS.search(without_comments(text)):
        return []
    headers = [header for _, header in INCLUDE.findall(text) if re.fullmatch(NOT_IN_KERNEL_FILES, header)]
    return [f"{path}: launches kernels and includes <{header}>" for header in headers]


def reached(path, texts):
    """The files of the house that one includes, and that these do."""
    found, left = set(), [path]
    while left:
        for bracket, header in INCLUDE.findall(texts.get(left.pop(), "")):
            if bracket == '"' and header not in found:
                found.add(header)
                left.append(header)
    return found


def unlisted_kernels(texts, lists):
    """Source files that launch kernels and are not among the KERNELS of their folder: g++ compiles them, nvcc does not."""
    listed = {f"{folder}/{file}" for folder, cmake in lists.items()
              for files in re.findall(r"\bKERNELS\b((?:\s+[\w.]+)+)", cmake) for file in files.split()}
    return [f"{path}: launches kernels and is not under KERNELS in the CMakeLists.txt beside it" for path in texts
            if path.endswith(".cpp") and path not in listed and "parallel/backend.hpp" in reached(path, texts)]


FUNCTION = re.compile(r"^(?!return|else|case|using|namespace|struct|class|template)[A-Za-z_][\w:<>,&* ]*?[ &*]([a-z_]\w*)\(", re.MULTILINE)
UNNAMED = re.compile(r"^namespace \{$(.*?)^\}  // namespace$", re.MULTILINE | re.DOTALL)


def hidden_functions(texts):
    """Functions of unnamed namespaces with the name of one that another file of the floor calls from a header. In a batch
    the other file may call the wrong one, and no compiler says so."""
    declared = {}
    for path, text in texts.items():
        if path.endswith(".hpp"):
            for name in FUNCTION.findall(text):
                declared.setdefault(name, set()).add(path)
    sources = {path: text for path, text in texts.items() if path.endswith(".cpp")}
    included = {path: {header for _, header in INCLUDE.findall(text)} for path, text in sources.items()}
    hidden = []
    for path, text in sources.items():
        for name in sorted({name for part in UNNAMED.findall(text) for name in FUNCTION.findall(part)} & declared.keys()):
            others = [other for other in sources if other != path and other.split("/")[0] == path.split("/")[0]
                      and declared[name] & included[other] and re.search(rf"\b{name}\(", sources[other])]
            hidden += [f"{path}: {name}() hides that of {min(declared[name])} from {other} in a batch" for other in others]
    return hidden


def without_guide(folders):
    """Of folders with more than five files of source, {path: (names of the files, text of README.md)}."""
    faults = []
    for folder, (names, guide) in folders.items():
        if len(names) <= 5:
            continue
        if guide is None:
            faults.append(f"{folder}: {len(names)} files and no README.md that says what lives there and where to begin")
            continue
        if guide.count("\n") > 10:
            faults.append(f"{folder}/README.md: {guide.count(chr(10))} lines (at most 10)")
    return faults


def lost_names(folder, guide, exists):
    """Files that a README.md names and that are not there, beside it or from the top of the source."""
    names = re.findall(r"`([\w/]+\.[ch]pp)`", guide)
    return [f"{folder}/README.md: there is no {name}" for name in names if not exists(f"{folder}/{name}") and not exists(name)]


def stray_cuda(path, text):
    if CUDA_ALLOWED.fullmatch(path):
        return []
    return [f"{path}: {match[0]} outside src/parallel" for match in CUDA.finditer(without_comments(text))]


def too_long(path, text):
    lines = text.count("\n")
    return [f"{path}: {lines} lines (at most {LONGEST_FILE})"] if lines > LONGEST_FILE and path not in LONG_FILES else []


def without_opening_sentence(path, text):
    if not path.endswith(".hpp"):
        return []
    opening = re.match(r"(///[^\n]*\n)+", text)
    words = " ".join(line[3:].strip() for line in opening[0].splitlines()) if opening else ""
    return [] if re.match(r"\w.*\.(\s|$)", words) else [f"{path}: does not open with a /// sentence that says what it is"]


RULES = [broken_order, stray_packages, packages_in_kernel_files, stray_cuda, too_long, without_opening_sentence]


class House(unittest.TestCase):
    def test_the_source_keeps_every_rule(self):
        files = sorted(p for p in SOURCE.rglob("*") if p.suffix in {".hpp", ".cpp", ".cu", ".cuh"})
        self.assertTrue(files, f"no source under {SOURCE}")
        for rule in RULES:
            with self.subTest(rule=rule.__name__):
                broken = [text for p in files for text in rule(p.relative_to(SOURCE).as_posix(), p.read_text())]
                self.assertEqual(broken, [], "\n" + "\n".join(broken))

    def test_kernels_are_listed(self):
        texts = {p.relative_to(SOURCE).as_posix(): p.read_text() for p in sorted(SOURCE.rglob("*.?pp"))}
        lists = {p.parent.relative_to(SOURCE).as_posix(): p.read_text() for p in SOURCE.rglob("CMakeLists.txt")}
        broken = unlisted_kernels(texts, lists)
        self.assertEqual(broken, [], "\n" + "\n".join(broken))

    def test_batches_hide_no_functions(self):
        broken = hidden_functions({p.relative_to(SOURCE).as_posix(): p.read_text() for p in sorted(SOURCE.rglob("*.?pp"))})
        self.assertEqual(broken, [], "\n" + "\n".join(broken))

    def test_rooms_have_a_guide(self):
        folders = {}
        for folder in sorted(p for p in SOURCE.rglob("*") if p.is_dir()):
            guide = folder / "README.md"
            folders[folder.relative_to(SOURCE).as_posix()] = (
                [p.name for p in folder.iterdir() if p.suffix in {".hpp", ".cpp"}], guide.read_text() if guide.exists() else None)
        broken = without_guide(folders)
        for folder, (_, guide) in folders.items():
            broken += lost_names(folder, guide or "", lambda path: (SOURCE / path).exists())
        self.assertEqual(broken, [], "\n" + "\n".join(broken))

    def test_the_build_has_the_same_rooms(self):
        for floor, rooms in HOUSE:
            for room in rooms:
                with self.subTest(room=f"{floor}/{room}"):
                    self.assertIn("solenoid_room(", (SOURCE / floor / room / "CMakeLists.txt").read_text())


class Rules(unittest.TestCase):
    """Each rule notices a file that breaks it, and lets one that keeps it pass."""

    def check(self, rule, path, bad, good):
        self.assertTrue(rule(path, bad), f"{rule.__name__} did not notice {bad!r}")
        self.assertEqual(rule(path, good), [])

    def test_order(self):
        lower = '#include "base/log.hpp"\n#include "mesh/b.hpp"\n'
        self.check(broken_order, "mesh/a.cpp", '#include "field/field.hpp"\n', lower)
        self.check(broken_order, "mesh/a.cpp", '#include "fmt/format.h"\n', "#include <fmt/format.h>\n")
        self.check(broken_order, "physics/flow/step/a.cpp", '#include "physics/flow/b.hpp"\n',
                   '#include "physics/flow/momentum/b.hpp"\n#include "model/b.hpp"\n')
        self.check(broken_order, "run/loop/a.cpp", '#include "run/report/b.hpp"\n', '#include "run/result/b.hpp"\n')
        self.check(broken_order, "run/loop/a.cpp", '#include "physics/flow/b.hpp"\n', '#include "physics/tracer/b.hpp"\n')
        self.assertTrue(broken_order("physics/a.cpp", ""))
        self.check(broken_order, "model/a.cpp", '#include "io/tables/b.hpp"\n', '#include "solve/multigrid/b.hpp"\n')

    def test_guides(self):
        six = list("abcdef")
        self.assertEqual(len(without_guide({"a": (six, None), "b": (six, "\n" * 11), "c": (six[:5], None)})), 2)
        self.assertEqual(without_guide({"a": (six, "\n" * 10)}), [])
        self.assertEqual(len(lost_names("a", "`b.hpp` and `a/c.cpp`", lambda path: path == "a/c.cpp")), 1)

    def test_packages(self):
        self.check(stray_packages, "io/paraview/vtk_writer.cpp", "#include <gmsh.h>\n", "#include <vtkNew.h>\n")
        self.check(stray_packages, "io/gmsh/gmsh_reader.cpp", "#include <gmshc.h>\n", '#include "io/gmsh/gmsh_library.hpp"\n')
        self.check(stray_packages, "app/run.cpp", "#include <toml++/toml.h>\n", "#include <CLI/CLI.hpp>\n")
        self.check(stray_packages, "app/run.cpp", "#include <hdf5.h>\n", "#include <vector>\n")
        self.check(stray_packages, "solve/linear_system.cpp", "#include <HYPRE_IJ_mv.h>\n", '#include "solve/boomeramg.hpp"\n')

    def test_kernel_files(self):
        kernel = "void f() { forall(3, F{}); }\n"
        self.check(packages_in_kernel_files, "operators/a.cpp", "#include <fmt/format.h>\n" + kernel, kernel)

    def test_kernels(self):
        texts = {"a/one.cpp": '#include "a/two.hpp"\n', "a/two.hpp": '#include "parallel/backend.hpp"\n', "a/three.cpp": ""}
        self.assertEqual(len(unlisted_kernels(texts, {"a": "floor(a SOURCES one.cpp three.cpp)"})), 1)
        self.assertEqual(unlisted_kernels(texts, {"a": "floor(a SOURCES three.cpp\n  KERNELS one.cpp\n  LINK X::Y)"}), [])

    def test_batches(self):
        texts = {"a/one.cpp": "namespace {\n\nvoid look(int i) {}\n\n}  // namespace\n", "b/two.hpp": "void look(int i);\n",
                 "a/three.cpp": '#include "b/two.hpp"\nvoid f() { look(1); }\n'}
        self.assertEqual(len(hidden_functions(texts)), 1)
        self.assertEqual(hidden_functions({**texts, "a/three.cpp": "void f() {}\n"}), [])
        self.assertEqual(hidden_functions({**texts, "a/one.cpp": "void look(int i) {}\n"}), [])

    def test_cuda(self):
        self.check(stray_cuda, "solve/cg.hpp", "#ifdef __CUDACC__\n", "// __CUDACC__ is for parallel/\n")
        self.check(stray_cuda, "solve/cg.hpp", "#ifdef SOLENOID_CUDA_ON_HOST\n", "")
        self.assertEqual(stray_cuda("parallel/forall.hpp", "#ifdef SOLENOID_CUDA\n"), [])

    def test_length(self):
        self.check(too_long, "mesh/a.cpp", "\n" * 401, "\n" * 400)

    def test_opening_sentence(self):
        self.check(without_opening_sentence, "mesh/a.hpp", "#pragma once\n", "/// What it\n/// is.\n#pragma once\n")


if __name__ == "__main__":
    unittest.main()
