#!/usr/bin/env python3
"""Runs each test case many times, in a process of its own each time, while other processes take the processors:
repeat.py BUILD --repeat N [--busy K] [--suite NAME]... [--filter WORDS].

A test that passes here does not depend on luck, nor on how quick the machine is. Each run has a fresh seed. What failed
is said at once, with what repeats it, and once more at the end; the output of the run that failed stays under
BUILD/repeated. Ends with "N passed, N failed", counted in test cases.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import time

PROGRESS_EVERY_S = 60
LEFT_OUT = ("consumer", "headers", "tidy", "compile_fail")  # they have no threads


def busy_processes(count):
    return [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]


def tests_of(build):
    """What meson test would run."""
    listed = subprocess.run(["meson", "introspect", "--tests", build], capture_output=True, text=True, check=True)
    return json.loads(listed.stdout)


def is_catch2(program):
    """Whether a program has test cases that can be run one by one."""
    with open(program, "rb") as file:
        return b"list-test-names-only" in file.read()


class Case:
    """A test case of a Catch2 program, or another program as a whole (`name` is None)."""

    def __init__(self, test, name):
        self.test, self.name = test, name

    def __str__(self):
        return f"{self.test['name']}: {self.name}" if self.name else self.test["name"]

    def command(self):
        if self.name is None:
            return self.test["cmd"]
        return [*self.test["cmd"], re.sub(r"([\\,\[\]*~\"])", r"\\\1", self.name)]


def cases_of(test, words):
    program = test["cmd"][-1] if os.access(test["cmd"][-1], os.X_OK) else test["cmd"][0]
    if not is_catch2(program):
        return [Case(test, None)] if words in test["name"] else []
    # Catch2 answers with the number of test cases.
    names = subprocess.run([program, "--list-test-names-only"], capture_output=True, text=True).stdout.splitlines()
    return [Case(test, name) for name in names if name and words in name]


class Repetition:
    def __init__(self, options):
        self.options = options
        self.cases = [
            case
            for test in tests_of(options.build)
            if self.is_wanted([suite.split(":")[-1] for suite in test["suite"]])
            for case in cases_of(test, options.filter)
        ]
        self.folder = os.path.join(options.build, "repeated")
        self.began = self.told = time.monotonic()

    def is_wanted(self, suites):
        if self.options.suite:
            return any(suite in self.options.suite for suite in suites)
        return not any(suite in LEFT_OUT for suite in suites)

    def run(self):
        os.makedirs(self.folder, exist_ok=True)
        others = busy_processes(self.options.busy)
        failed = []
        try:
            for number, case in enumerate(self.cases):
                self.tell(number, len(failed))
                failures = sum(not self.passes(case, f"{number}-{time}") for time in range(self.options.repeat))
                if failures:
                    failed.append(f"{case}: {failures} of {self.options.repeat}")
        finally:
            for process in others:
                process.kill()
                process.wait()
        for line in failed:
            print(f"failed: {line}")
        print(f"{len(self.cases) - len(failed)} passed, {len(failed)} failed")
        return 1 if failed or not self.cases else 0

    def passes(self, case, number):
        seed = random.SystemRandom().randrange(1 << 48)
        log = os.path.join(self.folder, f"{number}.log")
        environment = {**os.environ, **case.test["env"], "TACT_SEED": str(seed)}
        with open(log, "w") as output:
            try:
                process = subprocess.run(
                    case.command(), env=environment, stdout=output, stderr=subprocess.STDOUT,
                    stdin=subprocess.DEVNULL, timeout=self.options.limit,
                    cwd=case.test.get("workdir") or self.options.build,  # as meson test does: arguments may be relative
                )
                how = f"exit status {process.returncode}" if process.returncode else None
            except subprocess.TimeoutExpired:
                how = f"not at its end after {self.options.limit} s"
        if how is None:
            os.remove(log)
            return True
        print(f"  FAILED {case}: {how} ({log}); TACT_SEED={seed}", flush=True)
        return False

    def tell(self, done, failed):
        now = time.monotonic()
        is_terminal = sys.stdout.isatty()
        if now - self.told < (1 if is_terminal else PROGRESS_EVERY_S):
            return
        self.told = now
        left = (now - self.began) * (len(self.cases) - done) / done / 60 if done else 0
        line = f"  test cases {done} of {len(self.cases)}, {failed} failed, about {left:.0f} min left"
        print(f"\r{line}\033[K" if is_terminal else line, end="" if is_terminal else "\n", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("build", help="the folder of a build with tests")
    parser.add_argument("--repeat", type=int, required=True, help="how often each test case runs")
    parser.add_argument("--busy", type=int, default=0, help="processes that take processor time meanwhile")
    parser.add_argument("--suite", action="append", default=[], help="only tests of this suite")
    parser.add_argument("--filter", default="", help="only test cases with these words in their names")
    parser.add_argument("--limit", type=float, default=300, help="seconds for one run of a test case")
    options = parser.parse_args()
    if options.repeat < 1 or options.busy < 0 or options.limit <= 0:
        parser.error("--repeat takes 1 or more, --busy 0 or more, --limit more than 0")
    return Repetition(options).run()


if __name__ == "__main__":
    sys.exit(main())
