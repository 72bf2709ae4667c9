#!/usr/bin/env python3
"""Tests how the options of ./dev test are read, and that dev has the command that does what they say."""

import contextlib
import io
import os
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import options  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def chosen(*arguments):
    return options.chosen(options.read_arguments(arguments))


class Options(unittest.TestCase):
    def test_without_words_all_tests_run_once(self):
        self.assertEqual(chosen(), ["", "", "", "0", ""])

    def test_ways_of_building_add_up_and_suites_follow(self):
        self.assertEqual(chosen("--gcc", "--suite", "unit", "--tsan", "--suite", "stress", "--filter", "[law5]"),
                         ["", "[law5]", "", "0", "gcc tsan", "unit", "stress"])

    def test_hours_are_two_unless_given(self):
        self.assertEqual([chosen("--long")[0], chosen("--long", "0.5")[0], chosen("--long", "--filter", "a b")[:2]],
                         ["7200", "1800", ["7200", "a b"]])

    def test_what_makes_no_sense_is_refused(self):
        for arguments in (["--gone"], ["--long", "soon"], ["--suite"]):
            with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit):
                chosen(*arguments)


class Dev(unittest.TestCase):
    def test_each_command_that_it_names_says_what_it_does(self):
        def said(*words):
            return subprocess.run(["./dev", *words], cwd=ROOT, text=True, capture_output=True, check=True, timeout=60).stdout

        named = [line.split()[1] for line in said("help").splitlines() if line.startswith("./dev ") and line[6].islower()]
        self.assertEqual(named, ["demo", "test", "fuzz", "bench", "model", "fmt", "web", "docs", "package", "ci"])
        for command in named:
            self.assertIn(f"./dev {command}", said(command, "--help"))

    def test_it_names_what_it_does_not_know(self):
        for words in (["gone"], ["fmt", "gone"], ["fuzz", "gone"]):
            done = subprocess.run(["./dev", *words], cwd=ROOT, text=True, capture_output=True, timeout=60)
            self.assertEqual(done.returncode, 1)
            self.assertIn("does not know gone", done.stdout)


if __name__ == "__main__":
    ended = unittest.main(exit=False).result
    failed = len(ended.failures) + len(ended.errors)
    print(f"{ended.testsRun - failed} passed, {failed} failed")
    sys.exit(failed != 0)
