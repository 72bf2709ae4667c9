#!/usr/bin/env python3
"""Tests count.py on logs that stand for those of meson: the sum, and what it says of a failure."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))

CATCH2 = """
-------------------------------------------------------------------------------
shard: keeps what it was given
-------------------------------------------------------------------------------
shard_test.cpp:7
...............................................................................

shard_test.cpp:9: FAILED:
  REQUIRE( kept == given )
with expansion:
  3 == 4

failed: shard: keeps what it was given
41 passed, 1 failed
"""


class Count(unittest.TestCase):
    def count(self, *tests):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "testlog.json")
            if tests:
                with open(path, "w") as log:
                    for test in tests:
                        log.write(json.dumps({"name": "unit", "stdout": "", "stderr": "", **test}) + "\n")
            command = [sys.executable, "-B", os.path.join(HERE, "count.py"), path]
            done = subprocess.run(command, capture_output=True, text=True, timeout=60)
            return done.returncode, done.stdout

    def test_sums_up_cases_and_programs(self):
        status, out = self.count(
            {"result": "OK", "stdout": "noise\n10 passed, 0 failed\n"}, {"result": "OK"}, {"result": "SKIP"}
        )
        self.assertEqual((status, out), (0, "11 passed, 0 failed\n"))

    def test_names_the_case_that_failed_and_shows_its_assertion(self):
        status, out = self.count({"result": "FAIL", "stdout": "noise\n" * 500 + CATCH2 + "noise\n" * 3})
        self.assertEqual(status, 1)
        self.assertIn("FAILED unit (fail)\n    failed: shard: keeps what it was given\n", out)
        self.assertIn("      3 == 4\n", out)
        self.assertNotIn("noise\n" * 20, out)
        self.assertTrue(out.endswith("\n41 passed, 1 failed\n"))

    def test_shows_the_end_of_a_program_that_broke_off_and_the_begin_of_what_it_said(self):
        report = "WARNING: data race\n" + "frame\n" * 100
        status, out = self.count({"result": "TIMEOUT", "stdout": "a\n" * 99 + "the last line\n", "stderr": report})
        self.assertEqual(status, 1)
        for line in ("FAILED unit (timeout)", "    the last line", "    WARNING: data race", "0 passed, 1 failed"):
            self.assertIn(line + "\n", out)

    def test_a_failure_that_counts_none_is_one(self):
        status, out = self.count({"result": "FAIL", "stdout": "8 passed, 0 failed\n"})
        self.assertEqual(status, 1)
        self.assertTrue(out.endswith("8 passed, 1 failed\n"))

    def test_nothing_that_ran_is_no_success(self):
        self.assertEqual(self.count(), (1, "no test ran\n0 passed, 0 failed\n"))


if __name__ == "__main__":
    unittest.main()
