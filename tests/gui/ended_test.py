#!/usr/bin/env python3
"""How programs with windows end that lose their display, or have none: ended_test.py ENDED_PROGRAM."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

import x_server

PROGRAM = os.path.abspath(sys.argv[1])
PATIENCE_S = 60


def environment(display):
    others = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    return others if display is None else {**others, "DISPLAY": display}


class Ended(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="tact-ended-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.file = os.path.join(self.folder, "record")

    def start(self, state, display):
        """The program, once a handler has run on its loop. Without a buffer: the rest of its output is read later."""
        process = subprocess.Popen([PROGRAM, state, self.file], env=environment(display.name), bufsize=0,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), b"runs\n")
        return process

    def end_in_order(self, process):
        """Its code behind the loop has run, and its actors have ended: the file is closed. What it said on stderr."""
        out, error = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(out, b"behind the loop\n", error)
        with open(self.file) as file:
            lines = file.read().split()
        self.assertIn("begun", lines)
        self.assertEqual(lines[-1], "closed")
        return error.decode()

    def test_a_program_that_loses_its_display_ends_in_order_whatever_it_does(self):
        for state in ["idle", "busy", "drawing", "redrawing"]:
            for how in [signal.SIGKILL, signal.SIGTERM]:
                with self.subTest(state=state, how=how.name), x_server.XServer() as display:
                    process = self.start(state, display)
                    display.end(how)
                    error = self.end_in_order(process)
                    self.assertEqual(error, f"the connection to the display {display.name} was lost: "
                                            "the windows are closed, and their event loop ends\n")
                    self.assertEqual(process.returncode, 1)

    def test_a_window_is_closed_while_work_goes_on(self):
        with x_server.XServer() as display:
            process = self.start("closed", display)
            self.assertEqual(self.end_in_order(process), "")
            self.assertEqual(process.returncode, 0)

    def test_a_program_without_a_display_says_what_to_do(self):
        remedy = "set DISPLAY, as in DISPLAY=:0\n"
        for display, why in [(None, ""), ("", ""), (":987", ":987 does not answer, and DISPLAY names it; ")]:
            with self.subTest(display=display):
                done = subprocess.run([PROGRAM, "idle", self.file], env=environment(display), capture_output=True,
                                      text=True, timeout=PATIENCE_S)
                self.assertEqual(done.stderr, "there is no display to open a window on: " + why + remedy)
                self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    if not x_server.is_installed():
        print(x_server.MISSING)
        sys.exit(x_server.SKIPPED)
    result = unittest.TextTestRunner(verbosity=2).run(unittest.defaultTestLoader.loadTestsFromTestCase(Ended))
    failed = len({getattr(test, "test_case", test) for test, _ in result.failures + result.errors})
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)
