"""The reader of CSV tables that tools, cases and tests share: units, comments, and the place of what is malformed."""

import math
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from common.failure import Failure  # noqa: E402
from common.tables import Column, read_table  # noqa: E402


class Tables(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name, "history.csv")

    def read(self, text, **how):
        self.path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_table(self.path, **how)

    def test_names_and_units_are_parted(self):
        table = self.read('step [-],kinetic energy [m^4/s^2],"heat_left, rear [W]",Re100\n1,0.25,-3e2,nan\n2,1e-300,4,5\n')
        self.assertEqual(list(table), ["step", "kinetic energy", "heat_left, rear", "Re100"])
        self.assertEqual([c.unit for c in table.values()], ["-", "m^4/s^2", "W", ""])
        self.assertEqual([c.heading for c in table.values()],
                         ["step [-]", "kinetic energy [m^4/s^2]", "heat_left, rear [W]", "Re100"])
        self.assertEqual(table["kinetic energy"], Column("kinetic energy", "m^4/s^2", [0.25, 1e-300]))
        self.assertEqual(table["heat_left, rear"].values, [-300, 4])
        self.assertTrue(math.isnan(table["Re100"].values[0]))

    def test_comments_are_skipped_wherever_they_are(self):
        table = self.read('# "Ghia, 1982\ny,u\n0,1\n# half of it\n2,3\n')
        self.assertEqual({name: c.values for name, c in table.items()}, {"y": [0, 2], "u": [1, 3]})

    def test_no_rows_are_no_values(self):
        self.assertEqual(self.read("time [s]\n"), {"time": Column("time", "s", [])})

    def test_only_of_a_table_that_is_being_written_the_last_line_may_be_cut_off(self):
        text = "step [-],time [s]\n1,0.1\n2"
        self.assertEqual(self.read(text, unfinished=True)["step"].values, [1])
        for cut, how in ((text, {}), ("a,b\n1\n1,2\n", {"unfinished": True})):
            with self.assertRaisesRegex(Failure, "1 columns, expected 2"):
                self.read(cut, **how)

    def test_what_is_malformed_is_named_with_its_line(self):
        for text, place, words in [
            ("a [m],b [s]\n1,2\n1,2,3\n", ":3: ", "3 columns, expected 2 as in the header"),
            ("# from a paper\na,b\n\n", ":3: ", "0 columns, expected 2"),
            ("a,b\n1,2\n# remark\n3,o.4\n", ":4: ", "found `o.4`, expected a number"),
            ("a,b\n1,\n", ":2: ", "found ``, expected a number"),
            ("# remark\na,,b\n", ":2: ", "not a header of `name [unit]`"),
            ("", ":1: ", "not a header of `name [unit]`"),
            (b"a,b\n\xff,1\n", ": ", "cannot be read"),
        ]:
            with self.subTest(text=text), self.assertRaises(Failure) as raised:
                self.read(text)
            self.assertTrue(str(raised.exception).startswith(f"{self.path}{place}"), raised.exception)
            self.assertIn(words, str(raised.exception))
        with self.assertRaises(Failure) as raised:
            read_table(self.path.with_name("none.csv"))
        self.assertEqual(str(raised.exception), f"{self.path.with_name('none.csv')}: cannot be read: No such file or directory")


class OneOfEach(unittest.TestCase):
    def test_tools_and_cases_share_one_reader_and_one_error(self):
        scripts = sorted(path for folder in ("tools", "cases", "tests/cases") for path in (ROOT / folder).rglob("*.py"))
        text = {path.relative_to(ROOT).as_posix(): path.read_text() for path in scripts}
        self.assertEqual([path for path, lines in text.items() if "csv.reader" in lines or "DictReader" in lines],
                         ["tools/common/tables.py"])
        self.assertEqual([path for path, lines in text.items() if "class Failure" in lines or "class Unusable" in lines],
                         ["tools/common/failure.py"])


if __name__ == "__main__":
    unittest.main()
