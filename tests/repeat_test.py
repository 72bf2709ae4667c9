#!/usr/bin/env python3
"""Tests repeat.py on small programs that stand for the tests."""

import json
import os
import stat
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))


def write_script(path, text):
    with open(path, "w") as file:
        file.write("#!/bin/sh\n" + text)
    os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)


class Repeat(unittest.TestCase):
    def run_on(self, script, *arguments, suite="unit"):
        """The output of a run over one program that does this, and the lines that it wrote to the file $NOTES."""
        with tempfile.TemporaryDirectory() as build:
            program, notes = os.path.join(build, "program"), os.path.join(build, "notes")
            write_script(program, script)
            listed = [{"name": "program", "cmd": [program], "env": {"NOTES": notes}, "suite": [f"tact:{suite}"]}]
            write_script(os.path.join(build, "meson"), f"cat <<'JSON'\n{json.dumps(listed)}\nJSON\n")
            environment = {**os.environ, "PATH": build + os.pathsep + os.environ["PATH"]}
            done = subprocess.run(
                [sys.executable, "-B", os.path.join(HERE, "repeat.py"), build, *arguments],
                capture_output=True, text=True, env=environment, timeout=60,
            )
            lines = []
            if os.path.exists(notes):
                with open(notes) as file:
                    lines = file.read().splitlines()
            return done, lines

    CASES = 'if [ "$1" = --list-test-names-only ]; then echo "one, first"; echo two; exit 2; fi\n'

    def test_runs_each_case_as_often_as_asked_each_time_with_another_seed(self):
        done, lines = self.run_on(self.CASES + 'echo "$1 $TACT_SEED" >>"$NOTES"\n', "--repeat", "3")
        self.assertEqual(done.stdout.splitlines()[-1], "2 passed, 0 failed", done)
        self.assertEqual([line.rsplit(" ", 1)[0] for line in lines], 3 * ["one\\, first"] + 3 * ["two"])
        self.assertEqual(len(set(lines)), 6)

    def test_says_what_failed_how_often_and_with_which_seed(self):
        done, lines = self.run_on(self.CASES + 'echo "$TACT_SEED" >>"$NOTES"; [ "$1" = two ]\n', "--repeat", "2")
        self.assertEqual(done.returncode, 1)
        self.assertIn("failed: program: one, first: 2 of 2", done.stdout)
        self.assertIn(f"TACT_SEED={lines[0]}\n", done.stdout)
        self.assertEqual(done.stdout.splitlines()[-1], "1 passed, 1 failed")

    def test_a_run_that_does_not_end_has_failed(self):
        done, _ = self.run_on("exec sleep 100\n", "--repeat", "1", "--limit", "0.2")
        self.assertIn("not at its end after 0.2 s", done.stdout)
        self.assertEqual(done.stdout.splitlines()[-1], "0 passed, 1 failed")

    def test_keeps_processors_busy_and_leaves_none_behind(self):
        count = "ps -eo ppid,args | grep -c \"^ *$PPID .*while True\" >>\"$NOTES\"; exit 0\n"
        done, lines = self.run_on(count, "--repeat", "1", "--busy", "2")
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(lines, ["2"])

    def test_a_filter_that_fits_nothing_is_a_failure(self):
        done, _ = self.run_on(self.CASES, "--repeat", "1", "--filter", "three")
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (1, "0 passed, 0 failed"))

    def test_refuses_numbers_that_mean_nothing(self):
        done, _ = self.run_on("exit 0\n", "--repeat", "0")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--repeat takes 1 or more", done.stderr)


if __name__ == "__main__":
    ended = unittest.main(exit=False).result
    failed = len(ended.failures) + len(ended.errors)
    print(f"{ended.testsRun - failed} passed, {failed} failed")
    sys.exit(failed != 0)
