#!/usr/bin/env python3
"""Tests long.py on small programs that stand for the tests: what it runs, and what it keeps of a failure."""

import os
import stat
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = ("schedule", "staff", "model", "simulated_model")


def seed_of(log):
    return log[log.rindex("-") + 1 : -len(".log")]


class Long(unittest.TestCase):
    def run_on(self, script, *arguments):
        """The output of a run over programs that do this; `kept` is what is in failing_seeds."""
        with tempfile.TemporaryDirectory() as build:
            os.mkdir(os.path.join(build, "tests"))
            for name in PROGRAMS:
                program = os.path.join(build, "tests", name)
                with open(program, "w") as file:
                    file.write("#!/bin/sh\n" + script)
                os.chmod(program, os.stat(program).st_mode | stat.S_IXUSR)
            environment = {k: v for k, v in os.environ.items() if not k.startswith("TACT_")}
            done = subprocess.run(
                [sys.executable, "-B", os.path.join(HERE, "long.py"), build, *arguments],
                capture_output=True, text=True, env=environment, timeout=60,
            )
            path = os.path.join(build, "failing_seeds")
            kept = []
            if os.path.exists(path):
                with open(path) as file:
                    kept = file.read().splitlines()
            logs = os.listdir(os.path.join(build, "long"))
            return done, kept, logs

    def test_rounds_that_pass_leave_nothing(self):
        done, kept, logs = self.run_on("exit 0\n", "--rounds", "5")
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(done.stdout.splitlines()[-1], "5 passed, 0 failed")
        self.assertEqual((kept, logs), ([], []))

    def test_keeps_the_command_that_repeats_a_failure(self):
        done, kept, logs = self.run_on('echo "repeat: again $TACT_SEED"; exit 1\n', "--rounds", "4")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.splitlines()[-1], "0 passed, 4 failed")
        seeds = sorted(seed_of(log) for log in logs)
        self.assertEqual(sorted(kept), sorted(f"again {seed}" for seed in seeds))
        self.assertEqual(len(set(seeds)), 4, "each round has a seed of its own")

    def test_keeps_the_seed_when_a_program_dies_without_a_word(self):
        _, kept, logs = self.run_on("kill -SEGV $$\n", "--rounds", "4")
        of = {log[: log.rindex("-")]: seed_of(log) for log in logs}
        self.assertEqual(sorted(kept), sorted([
            f"TACT_SEED={of['schedule']} TACT_SCHEDULES=50000 ./dev test --suite schedule",
            f"TACT_SEED={of['staff']} TACT_SCHEDULES=50000 ./dev test --suite schedule",
            f"TACT_SEED={of['model']} TACT_PROGRAMS=5000 ./dev test --suite model",
            f"TACT_SEED={of['simulated_model']} TACT_PROGRAMS=5000 ./dev test --suite simulation",
        ]))

    def test_ends_after_its_time(self):
        done, _, _ = self.run_on("exit 0\n", "--hours", "0.0001")
        self.assertEqual(done.returncode, 0, done)
        self.assertRegex(done.stdout.splitlines()[-1], r"^[1-9]\d* passed, 0 failed$")

    def test_all_programs_have_their_turn(self):
        _, _, logs = self.run_on("exit 1\n", "--rounds", "8")
        turns = sorted(log[: log.rindex("-")] for log in logs)
        self.assertEqual(turns, sorted(2 * PROGRAMS))

    def test_builds_take_turns_and_may_lack_programs(self):
        with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
            for build, path in ((first, "model"), (second, "stress"), (second, "patterns/patterns")):
                program = os.path.join(build, "tests", path)
                os.makedirs(os.path.dirname(program), exist_ok=True)
                with open(program, "w") as file:
                    file.write("#!/bin/sh\nexit 1\n")
                os.chmod(program, os.stat(program).st_mode | stat.S_IXUSR)
            command = [sys.executable, "-B", os.path.join(HERE, "long.py"), first, second, "--rounds", "3"]
            subprocess.run(command, capture_output=True, timeout=60)
            turns = [sorted(log[: log.rindex("-")] for log in os.listdir(os.path.join(b, "long"))) for b in (first, second)]
            self.assertEqual(turns, [["model"], ["patterns", "stress"]])

    def test_hands_the_filter_on(self):
        script = """case $0 in
*/schedule | */staff) [ "$1" = "*words\\, and more*[schedule]~[exhaustive]" ] ;;
*) [ "$1" = "*words\\, and more*[model]" ] ;;
esac
"""
        done, _, _ = self.run_on(script, "--rounds", "4", "--filter", "words, and more")
        self.assertEqual(done.stdout.splitlines()[-1], "4 passed, 0 failed")


if __name__ == "__main__":
    ended = unittest.main(exit=False).result
    failed = len(ended.failures) + len(ended.errors)
    print(f"{ended.testsRun - failed} passed, {failed} failed")
    sys.exit(failed != 0)
