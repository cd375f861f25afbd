"""`distributed` in [mesh]: runs without a rank that holds the whole mesh are those of the usual way."""

import os
import unittest.mock

from broken_meshes import binary_41, cube
import case_runs


class Distributed(case_runs.CaseRuns):
    def setUp(self):
        super().setUp()
        cache = unittest.mock.patch.dict(os.environ, SOLENOID_CACHE=str(self.folder / "cache"))
        cache.start()
        self.addCleanup(cache.stop)
        (self.folder / "text.msh").write_bytes(cube().text("4.1"))
        (self.folder / "binary.msh").write_bytes(binary_41(cube()))

    def cavity(self, distributed, mesh="binary.msh"):
        keys = "distributed = true" if distributed else "distributed = false"
        return case_runs.HEATED_CAVITY.format(mesh=mesh, keys=keys, initial="temperature = 0")

    def history(self, result):
        return {name: list(column) for name, column in self.columns(result, "history.csv").items()
                if not name.startswith("wall_seconds")}

    def test_a_run_is_the_same_in_bits(self):
        self.run_case(self.cavity(False), "usual", "--set", "mesh.refine=1")
        for ranks in (1, 2, 3):
            result = f"on-{ranks}"
            said = self.run_case(self.cavity(True), result, "--set", "mesh.refine=1", ranks=ranks)
            self.assertIn("read 27 nodes, 48 tetrahedra from binary.msh\n", said)
            self.assertNotIn("read by rank 0", said)
            self.assertEqual(self.history(result), self.history("usual"))

    def test_other_files_are_read_by_rank_0(self):
        self.run_case(self.cavity(False), "usual")
        said = self.run_case(self.cavity(True, "text.msh"), "rows", ranks=2)
        self.assertIn("text.msh: read by rank 0: it is a text file\n", said)
        self.assertEqual(self.history("rows"), self.history("usual"))

    def test_a_geometry_is_meshed_by_rank_0_and_read_by_all(self):
        cube = case_runs.ROOT / "meshes" / "cube.geo"
        made, cached = (self.run_case(self.cavity(True, cube), "rows", "--set", "mesh.size=0.4", ranks=2) for _ in "12")
        for said in (made, cached):
            self.assertNotIn("read by rank 0", said)
            self.assertRegex(said, r"read \d+ nodes, \d+ tetrahedra from .*cube.geo\n")
        self.assertNotIn("mesh taken from the cache ", made)
        self.assertIn("mesh taken from the cache ", cached)

    def test_goes_on_from_a_checkpoint_of_the_other_way(self):
        for before, after in ((False, True), (True, False)):
            self.run_case(self.cavity(before), "whole", ranks=2)
            self.run_case(self.cavity(after), "part", "--restart", "whole/checkpoint_000005.h5", ranks=3)
            last = [{name: column[-1] for name, column in self.history(result).items()} for result in ("whole", "part")]
            self.assertEqual(last[0], last[1])

    def test_faults_of_any_rank_are_told_as_those_of_the_mesh(self):
        case = self.cavity(True).replace('[boundary.lid]\ntype = "wall"\nvelocity = [1, 0, 0]', '[boundary.lid]\ntype = "outlet"\n'
                                         'direction = ["x - 0.8", "-0.1", 0]')
        usual, by_rank = (self.run_case(case.replace("distributed = true", f"distributed = {way}"), "out", ranks=3, code=2)
                          for way in ("false", "true"))
        self.assertNotIn("rank ", by_rank.split("\n")[0])
        for said in (usual, by_rank):
            self.assertIn("`direction` in [boundary.lid]: found ", said)

    def test_what_takes_the_whole_mesh_is_refused(self):
        zone = "[zone.probe]\nball = { centre = [0.5, 0.5, 0.5], radius = 0.4 }\ndarcy = 1\n[time]"
        solid = "[region.block]\nsolid = true\nconductivity = 1\nheat_capacity = 1\n[time]"
        for what, table in (("[zone]", zone), ("[region]", solid)):
            for command in ("run", "check"):
                said = self.run_case(self.cavity(True).replace("[time]", table), "out", code=2, command=command)
                self.assertIn(f"expected false: the mesh is checked as a whole for {what}", said)


if __name__ == "__main__":
    case_runs.main()
