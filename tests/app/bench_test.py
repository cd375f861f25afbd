"""`solenoid bench` as users start it: every building block is measured, its figures agree with each other and with the
mesh, names select, files are left. How fast anything is, is not asked here."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MESH = ROOT / "meshes" / "tests" / "square-2.2.msh"
SYSTEMS = ["pressure", "heat", "curl-curl", "momentum", "elliptic"]
NAMES = [
    "axpy", "dot", "sum", "min", "max", "gradient", "divergence", "curl", "rotation", "interpolation", "integration", "boundary",
    *(f"halo/{where}" for where in ("cells", "nodes", "edges", "faces")), "allreduce", *(f"product/{name}" for name in SYSTEMS),
    *(f"cg/{name}/{preconditioner}" for name in SYSTEMS for preconditioner in ("none", "jacobi", "gauss-seidel")),
    "cg/elliptic/elimination",
    *(f"{what}/{name}/{multigrid}" for multigrid in ("multigrid", "boomeramg") for name in SYSTEMS
      if (name, multigrid) != ("curl-curl", "boomeramg") for what in ("setup", "cycle", "solve")),
    *(f"{what}/{name}/elimination" for name in ("heat", "elliptic") for what in ("cycle", "solve")),
    "solve/pressure/jacobi", "solve/heat/jacobi", "solve/elliptic/jacobi",
]
FIELDS = {
    "name", "unknowns", "seconds", "seconds_per_unknown", "bytes_per_unknown", "bytes_per_second", "bytes_per_second_and_rank",
    "bandwidth_fraction", "kernels", "samples", "spread",
}
options = None


def names_of(figures):
    """What this program has to measure: BoomerAMG only where it was built with hypre."""
    return [name for name in NAMES if figures["program"]["hypre"] or not name.endswith("/boomeramg")]


def bench(ranks, folder, *words, figures="bench.json"):
    """Runs the program in a folder; returns exit code, screen, errors and the figures of that file, or None."""
    words = [options.mpiexec, "--quiet", "-n", str(ranks), options.solenoid, "bench", *map(str, words), "--seconds", "0.001",
             "--json", figures]
    done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=folder)
    figures = json.loads(Path(folder, figures).read_text()) if done.returncode == 0 else None
    return done.returncode, done.stdout, done.stderr, figures


def square(n):
    """Counts of the unit square as 2 n^2 triangles; a node seen end-on is an edge."""
    return {"dimension": 2, "nodes": (n + 1) ** 2, "edges": (n + 1) ** 2, "faces": 3 * n * n + 2 * n, "cells": 2 * n * n,
            "boundary": 4 * n, "inner nodes": (n - 1) ** 2}


def cube(n):
    """Counts of the unit cube as 6 n^3 tetrahedra: per small cube 3 + 3 + 1 edges and 6 + 6 faces, and what closes it."""
    edges = 3 * n * (n + 1) ** 2 + 3 * n * n * (n + 1) + n ** 3  # along axes, across sides, across cubes
    cells, boundary = 6 * n ** 3, 12 * n * n
    return {"dimension": 3, "nodes": (n + 1) ** 3, "edges": edges, "faces": (4 * cells + boundary) // 2, "cells": cells,
            "boundary": boundary, "inner nodes": (n - 1) ** 3}


def unknowns(name, mesh, ranks):
    """Of a benchmark; None where the partition decides."""
    part = name.split("/")
    if part[0] == "halo":
        return 0 if ranks == 1 else None
    if part[0] == "allreduce":
        return ranks
    if part[0] == "boundary":
        return mesh["boundary"]
    if part[0] in ("product", "cg", "setup", "cycle", "solve"):
        where = {"pressure": "cells", "heat": "nodes" if part[0] == "product" else "inner nodes", "curl-curl": "edges", "momentum": "faces",
                 "elliptic": "nodes"}
        return mesh[where[part[1]]]
    return mesh[{"gradient": "faces", "curl": "faces", "integration": "faces", "rotation": "edges"}.get(name, "cells")]


class Everything(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.runs = []
        for words, mesh in ((("--square", 12), square(12)), (("--cube", 4), cube(4))):
            for ranks in (1, 3):
                with tempfile.TemporaryDirectory() as folder:
                    code, out, err, figures = bench(ranks, folder, *words)
                    assert code == 0 and err == "", err
                    assert [p.name for p in Path(folder).iterdir()] == ["bench.json"]
                cls.runs.append((mesh, ranks, out, figures))

    def every(self):
        for mesh, ranks, _, figures in self.runs:
            for result in figures["results"]:
                with self.subTest(dimension=mesh["dimension"], ranks=ranks, name=result["name"]):
                    yield mesh, ranks, figures, result

    def test_every_name_is_there_once_and_in_the_table(self):
        for _, _, out, figures in self.runs:
            names = names_of(figures)
            self.assertEqual([result["name"] for result in figures["results"]], names)
            self.assertEqual([line.split()[0] for line in out.splitlines() if line.split(" ")[0] in names], names)

    def test_the_head_says_what_was_measured_on(self):
        for mesh, ranks, out, figures in self.runs:
            for key in ("dimension", "nodes", "edges", "faces", "cells"):
                self.assertEqual(figures["mesh"][key], mesh[key], key)
            self.assertEqual((figures["ranks"], figures["backend"]), (ranks, "cpu"))
            self.assertGreater(figures["triad_bytes_per_second"], 0)
            self.assertGreater(figures["copy_bytes_per_second"], 0)
            part = figures["partition"]
            self.assertLessEqual(part["cells_min"] * ranks, mesh["cells"])
            self.assertGreaterEqual(part["cells_max"] * ranks, mesh["cells"])
            self.assertEqual(part["cut_faces"] > 0, ranks > 1)
            self.assertEqual(part["halo_cells"] > 0, ranks > 1)
            self.assertIn(f"{figures['mesh']['name']}: {ranks} rank", out)
            self.assertIn(f"mesh: {mesh['cells']} cells, {mesh['faces']} faces, {mesh['nodes']} nodes", out)
            self.assertRegex(out, r"memory: triad [\d.]+ GB/s, copy [\d.]+ GB/s")

    def test_unknowns_are_those_of_the_mesh(self):
        for mesh, ranks, figures, result in self.every():
            expected = unknowns(result["name"], mesh, ranks)
            if expected is None:
                self.assertGreater(result["unknowns"], 0)
            else:
                self.assertEqual(result["unknowns"], expected)
            if result["name"] == "halo/cells":
                self.assertEqual(result["unknowns"], figures["partition"]["halo_cells"])

    def test_figures_agree(self):
        for _, ranks, figures, result in self.every():
            is_solve = result["name"].startswith("solve/")
            self.assertEqual(set(result), FIELDS | ({"iterations"} if is_solve else set()))
            if is_solve:
                self.assertIn(result["iterations"], range(1, 200 if result["name"].endswith("jacobi") else 40))
            self.assertGreater(result["seconds"], 0)
            self.assertGreaterEqual(result["samples"], 3)
            self.assertGreaterEqual(result["spread"], 0)
            count, rate = result["unknowns"], result["bytes_per_second"]
            self.assertAlmostEqual(result["bandwidth_fraction"], rate / figures["triad_bytes_per_second"])
            self.assertAlmostEqual(result["bytes_per_second_and_rank"] * ranks / max(rate, 1), rate / max(rate, 1))
            if count:
                self.assertAlmostEqual(result["seconds_per_unknown"] * count / result["seconds"], 1)
            if result["name"].endswith("/boomeramg"):
                self.assertEqual((rate, result["bytes_per_unknown"]), (0, 0))  # hypre does not tell
            elif count:
                self.assertAlmostEqual(result["bytes_per_unknown"] * count / (rate * result["seconds"]), 1)
                self.assertGreater(rate, 0)
            else:
                self.assertEqual((rate, result["seconds_per_unknown"], result["bytes_per_unknown"]), (0, 0, 0))

    def test_kernels_are_few(self):
        for _, ranks, _, result in self.every():
            if result["name"].startswith("cg/") and ranks == 1:
                most = {"gauss-seidel": 41, "elimination": 10}  # two a colour; of so few unknowns an inverse alone
                self.assertLessEqual(result["kernels"], most.get(result["name"].split("/")[-1], 3))
            elif result["name"].startswith("product/") and ranks == 1:
                self.assertEqual(result["kernels"], 1)
            elif result["name"] in ("axpy", "dot", "sum", "min", "max", "gradient", "divergence", "curl", "rotation"):
                self.assertGreaterEqual(result["kernels"], 1)

    def test_what_no_neighbour_is_read_for_takes_known_bytes(self):
        for _, _, _, result in self.every():
            words = {"axpy": 3, "dot": 2, "sum": 1, "min": 1, "max": 1}.get(result["name"])
            if words:
                self.assertEqual(result["bytes_per_unknown"], 8 * words)


class Choices(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def names(self, *words, ranks=1):
        code, _, err, figures = bench(ranks, self.folder, *words, "--square", 6)
        self.assertEqual((code, err), (0, ""))
        return [result["name"] for result in figures["results"]]

    def test_names_select_in_the_order_of_the_list(self):
        self.assertEqual(self.names("cg/pressure"), ["cg/pressure/none", "cg/pressure/jacobi", "cg/pressure/gauss-seidel"])
        self.assertEqual(self.names("product", "axpy", ranks=3), ["axpy", *(f"product/{name}" for name in SYSTEMS)])
        self.assertEqual(self.names("cg/heat/jacobi", "cg/heat"), ["cg/heat/none", "cg/heat/jacobi", "cg/heat/gauss-seidel"])
        self.assertEqual(self.names("triad"), [])  # measured in every run

    def test_an_iteration_of_cg_reads_and_writes_little(self):
        code, _, err, figures = bench(1, self.folder, "cg/pressure/jacobi", "--cube", 12)
        self.assertEqual((code, err), (0, ""))
        self.assertLessEqual(figures["results"][0]["bytes_per_unknown"], 128)
        self.assertLessEqual(figures["results"][0]["kernels"], 3)

    def test_a_mesh_from_a_file(self):
        for ranks in (1, 3):
            code, out, err, figures = bench(ranks, self.folder, "divergence", "--mesh", MESH)
            self.assertEqual((code, err), (0, ""))
            self.assertEqual(figures["mesh"]["name"], MESH.name)
            self.assertEqual(figures["results"][0]["unknowns"], figures["mesh"]["cells"])
            self.assertIn(f"mesh: {figures['mesh']['cells']} cells", out)

    def test_matrices_are_left_with_the_sizes_of_the_mesh(self):
        for ranks in (1, 3):
            code, out, err, figures = bench(ranks, self.folder, "triad", "--square", 6, "--matrices", "made/here")
            self.assertEqual((code, err), (0, ""))
            made = self.folder / "made" / "here"
            self.assertEqual({p.name for p in made.iterdir()},
                             {f"{name}.petsc{end}" for name in ("pressure", "heat") for end in ("", ".json")})
            for name, where in ("pressure", "cells"), ("heat", "nodes"):
                told = json.loads((made / f"{name}.petsc.json").read_text())
                self.assertEqual((told["rows"], len(told["rows_of_ranks"])), (figures["mesh"][where], ranks))
                self.assertEqual((made / f"{name}.petsc").stat().st_size, 16 + 4 * told["rows"] + 12 * told["nonzeros"])
            self.assertEqual(told["nonzeros"], 24 + 25 + 2 * (20 + 20 + 16))  # 24 fixed nodes; couplings of the 25 others
            self.assertIn("made/here", out)

    def test_figures_go_where_links_lead_and_into_regular_files_only(self):
        (self.folder / "far").mkdir()
        for name in ("old.json", "old.json.part"):
            (self.folder / "far" / name).write_text("mine")
        for link, target in ("link", "far/old.json"), ("link-to-new", "far/new.json"):
            (self.folder / link).symlink_to(target)
            code, _, err, figures = bench(1, self.folder, "triad", "--square", 4, figures=link)
            self.assertEqual((code, err, figures["results"]), (0, "", []))
            self.assertTrue((self.folder / link).is_symlink())
        self.assertEqual((self.folder / "far" / "old.json.part").read_text(), "mine")
        self.assertEqual({p.name for p in (self.folder / "far").iterdir()}, {"old.json", "old.json.part", "new.json"})
        os.mkfifo(self.folder / "pipe")
        code, _, err, _ = bench(2, self.folder, "triad", "--square", 4, figures="pipe")
        self.assertEqual((code, err), (2, "error: --json pipe: is a device or a pipe; expected a regular file to write\n"))
        self.assertTrue((self.folder / "pipe").is_fifo())

    def test_more_ranks_than_cells(self):
        code, _, err, figures = bench(3, self.folder, "--square", 1)
        self.assertEqual((code, err), (0, ""))
        self.assertEqual([result["name"] for result in figures["results"]], NAMES)


class Refined(unittest.TestCase):
    def test_each_rank_divides_its_cells(self):
        for words, mesh in ((("--square", 3), square(12)), (("--cube", 2), cube(4))):
            times = 2 if "--square" in words else 1
            for ranks in (1, 2):
                with tempfile.TemporaryDirectory() as folder:
                    code, out, err, figures = bench(ranks, folder, "gradient", *words, "--refine", times)
                self.assertEqual((code, err), (0, ""))
                for key in ("dimension", "nodes", "edges", "faces", "cells"):
                    self.assertEqual(figures["mesh"][key], mesh[key], key)
                self.assertEqual(figures["refinements"], times)
                phases = figures["setup_phases"]
                self.assertEqual(list(phases), ["read mesh", "connect mesh", "partition", "distribute"])
                self.assertLessEqual(sum(phases.values()), figures["setup_seconds"])
                self.assertGreaterEqual(figures["setup_bytes_max_rank"] * ranks, figures["setup_bytes"])
                self.assertRegex(out, rf"divided {times} times?; set up in [\d.]+ s with at most \d+ MB a rank")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--solenoid", required=True)
    options, rest = parser.parse_known_args()
    options.solenoid = str(Path(options.solenoid).resolve())
    unittest.main(argv=[sys.argv[0], *rest])
