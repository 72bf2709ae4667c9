#!/usr/bin/env python3
"""Tests what ./dev shows of a step: how far it is, how it ended."""

import os
import pty
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def in_dev(script, **more):
    """Runs bash with the functions of dev."""
    environment = {name: value for name, value in os.environ.items() if name != "TACT_TAIL"}  # ./dev test says 0
    command = ["bash", "-c", f". ./dev\n{script}"]
    return subprocess.run(command, cwd=ROOT, text=True, timeout=60, env=environment, **more)


def how_far(log, seconds):
    with tempfile.NamedTemporaryFile("w") as file:
        file.write(log)
        file.flush()
        return in_dev(f"how_far {file.name} {seconds}", capture_output=True).stdout


class Steps(unittest.TestCase):
    def test_counts_what_ninja_has_compiled_and_estimates_the_rest(self):
        self.assertEqual(how_far("[1/90] Compiling\n[30/90] Compiling C++ object x.o\n", 60), "30 of 90, about 2 min left")

    def test_counts_the_tests_of_meson(self):
        self.assertEqual(how_far(" 8/10 tact:unit / unit   OK   2.00s\n", 40), "8 of 10, about 10 s left")

    def test_a_path_with_numbers_is_no_count(self):
        self.assertEqual(how_far("[2/4] Compiling\nsee 3/7.txt in /a/1/2 b\n", 10), "2 of 4, about 10 s left")

    def test_shows_the_last_line_of_what_counts_nothing(self):
        self.assertEqual(how_far("Get:1 packages\nUnpacking meson\n", 10), "Unpacking meson")

    def test_a_step_that_fails_shows_the_end_of_its_log_and_its_status(self):
        with tempfile.TemporaryDirectory() as folder:
            script = f"step build {folder}/log bash -c 'echo what went wrong; exit 3' || echo status $?"
            lines = in_dev(script, capture_output=True).stdout.splitlines()
        self.assertRegex(lines[0], r"^  build +0 s  FAILED \(.*/log\)$")
        self.assertEqual(lines[1:], ["    what went wrong", "status 3"])

    def test_says_in_a_log_each_minute_how_far_it_is_also_when_it_looks_seldom(self):
        script = "sleep() { SECONDS=$((SECONDS + 7)); ((SECONDS < 130)) || exit 0; }\ntell_progress build /dev/null"
        lines = in_dev(script, capture_output=True).stdout.split("\n")
        self.assertEqual([line.split()[1] for line in lines if line], ["63", "126"])

    def test_shows_on_a_terminal_how_far_it_is_while_it_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            # It ends when it has been shown that it is half done.
            step = f"until grep -q 'compiled 1 of 2' {folder}/shown; do echo '[1/2] Compiling'; sleep 0.1; done"
            reader, terminal = pty.openpty()
            with open(f"{folder}/shown", "wb", buffering=0) as shown:
                process = subprocess.Popen(
                    ["bash", "-c", f". ./dev\nstep build {folder}/log bash -c \"{step}\""],
                    cwd=ROOT, stdin=subprocess.DEVNULL, stdout=terminal, stderr=terminal,
                )
                os.close(terminal)
                try:
                    while chunk := os.read(reader, 4096):
                        shown.write(chunk)
                except OSError:  # the terminal has no writer any more
                    pass
            os.close(reader)
            self.assertEqual(process.wait(60), 0)
            with open(f"{folder}/shown", "rb") as file:
                self.assertRegex(file.read(), rb"compiled 1 of 2, about \d+ s left.*\r  build +\d+ s  ok")


if __name__ == "__main__":
    ended = unittest.main(exit=False).result
    failed = len(ended.failures) + len(ended.errors)
    print(f"{ended.testsRun - failed} passed, {failed} failed")
    sys.exit(failed != 0)
