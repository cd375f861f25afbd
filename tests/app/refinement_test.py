"""`refine` in [mesh]: what check and run tell of it, checkpoints, starts from them, and verify."""

import json

from broken_meshes import cube, square
import case_runs

class Refined(case_runs.CaseRuns):
    def setUp(self):
        super().setUp()
        (self.folder / "square.msh").write_bytes(square(6).text("4.1"))

    def cavity(self, refine, initial=""):
        return case_runs.HEATED_CAVITY.format(mesh="square.msh", keys=f"refine = {refine}", initial=initial)

    def check(self, case):
        said = self.run_case(case, "found", command="check")
        return said, json.loads((self.folder / "found" / "check.json").read_text())

    def test_check_tells_counts_and_boundaries(self):
        said, found = self.check(self.cavity(2))
        self.assertIn("mesh        1152 triangles, 1776 faces, 625 nodes\n", said)
        self.assertIn("            refined 2 times from 72 triangles, 120 faces, 49 nodes\n", said)
        self.assertIn("            curved boundaries stay the polygons of the file\n", said)
        self.assertEqual(found["mesh"]["cells"], 1152)
        self.assertEqual(found["refinement"]["refined"], {"nodes": 625, "edges": 625, "faces": 1776, "cells": 1152})
        self.assertEqual((found["refinement"]["read"]["cells"], found["refinement"]["examined"]), (72, "refined"))
        self.assertAlmostEqual(found["mesh"]["volume"], 1, delta=1e-12)
        self.assertEqual([found["boundary"][name]["faces"] for name in ("lid", "wall")], [24, 72])

    def test_check_looks_at_refined_tetrahedra(self):
        (self.folder / "square.msh").write_bytes(cube().text("4.1"))
        _, found = self.check(self.cavity(1))
        self.assertEqual((found["mesh"]["dimension"], found["refinement"]["examined"]), (3, "refined"))
        self.assertEqual(found["mesh"]["cells"], 8 * found["refinement"]["read"]["cells"])
        self.assertAlmostEqual(found["mesh"]["volume"], 1, delta=1e-12)

    def test_check_foretells_a_mesh_beyond_this_machine(self):
        whole, large = self.check(self.cavity(0))[1], self.check(self.cavity(10))
        said, found = large
        self.assertIn(f"mesh        {72 << 20} triangles, ", said)
        self.assertIn("too many cells to look at here", said)
        self.assertEqual(found["refinement"]["examined"], "read")
        self.assertEqual(found["mesh"]["cells"], 72)
        self.assertEqual(found["partition"][0]["cells_max"], 72 << 20)
        self.assertGreater(found["partition"][0]["bytes_max_rank"], 1000 * (72 << 20))
        self.assertGreater(found["outputs"]["bytes_each"], 1e5 * whole["outputs"]["bytes_each"])

    def test_a_zone_smaller_than_the_cells_of_the_file(self):
        zone = "[zone.probe]\nball = {{ centre = [0.51, 0.52, 0], radius = 0.03 }}\n{what}\n[time]"
        for what in ("darcy = 1e3", "heat = 2", "acceleration = [1, 0, 0]"):
            coarse, fine = (self.cavity(times, "temperature = 0").replace("[time]", zone.format(what=what))
                            for times in (0, 2))
            self.assertIn("[zone.probe]: no cell of the mesh of the run has its centroid in the ball",
                          self.run_case(coarse, "out", code=2))
            self.run_case(fine, "out", "--dry-run")
            self.assertIn("zones       probe: ball", self.check(fine)[0])

    def test_a_run_has_the_refined_mesh(self):
        said = self.run_case(self.cavity(2), "results", ranks=2)
        self.assertIn("mesh: 1152 cells, 1776 faces, 625 nodes; ", said)
        self.assertIn("each cell of the file divided 2 times; curved boundaries stay the polygons of the file\n", said)
        mesh = self.summary("results")["mesh"]
        self.assertEqual([mesh[kind] for kind in ("cells", "faces", "nodes")], [1152, 1776, 625])

    def test_goes_on_from_a_checkpoint_on_other_ranks_in_bits(self):
        case = self.cavity(2)
        self.run_case(case, "whole", ranks=1)
        for ranks in (2, 3):
            said = self.run_case(case, f"on-{ranks}", "--restart", "whole/checkpoint_000005.h5", ranks=ranks)
            self.assertIn("step 6 is the one of the run before, in every bit\n", said)
            last = [[column[-1] for name, column in self.columns(result, "history.csv").items() if "wall" not in name]
                    for result in ("whole", f"on-{ranks}")]
            self.assertEqual(last[0], last[1])
        at = ["--restart", "whole/checkpoint_000005.h5"]
        (self.folder / "square.msh").unlink()
        said = self.run_case(self.cavity(1), "whole", *at, code=2)
        self.assertIn("`refine` in [mesh] is 1, and was 2 in whole/checkpoint_000005.h5; a run continues", said)
        self.run_case(case, "whole", "--set", "time.end=0.6", *at)
        self.assertEqual(self.summary("whole")["mesh"]["cells"], 1152)

    def test_another_flow_starts_from_its_checkpoint(self):
        self.run_case(self.cavity(1), "before", ranks=2)
        energies = []
        for source, ranks in (("before", 1), ("before/checkpoint_000010.h5", 3)):
            case = self.cavity(2, f'result = "{source}"').replace("end = 0.5\nstep = 0.05", "end = 1e-6\nstep = 1e-6")
            said = self.run_case(case.replace("every = 0.5", "every = 1e-6"), "after", ranks=ranks)
            self.assertIn(f"velocity of {source}, t = 0.5 s\n", said)
            energies.append(self.column("after", "history.csv", "kinetic_energy")[0])
        self.assertLess(abs(energies[1] / energies[0] - 1), 1e-5)

    def test_verify_proves_it(self):
        said = self.run_case(self.cavity(1), "proofs", command="verify", ranks=2)
        self.assertRegex(said, r"ranks +all ranks against one +0 +0 +held: reproducible, in bits\n")
        self.assertIn("All held that applies", said)

    def test_verify_proves_it_beside_a_solid(self):
        """The meshes of fluid and domain number nodes in other orders once they are refined."""
        case = (case_runs.ROOT / "cases/thick-wall/case.toml").read_text().split("[[line]]")[0]
        case = case.replace("../../meshes", str(case_runs.ROOT / "meshes"))
        said = self.run_case(case, "proofs", "--steps", "2", "--set", "mesh.size=0.4", "--set", "mesh.refine=2",
                             command="verify", ranks=2)
        self.assertIn("All held that applies", said)


if __name__ == "__main__":
    case_runs.main()
