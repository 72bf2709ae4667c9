#!/usr/bin/env python3
"""Runs tests with fresh seeds for hours: long.py BUILD... [--hours N] [--filter WORDS] [--rounds N].

As many programs at a time as there are processing units; each run of one is a round, and the builds take turns. What
repeats a failure is kept in BUILD/failing_seeds, a line for each, and the output of its round under BUILD/long. Ends
with "N passed, N failed", counted in rounds.
"""

import argparse
import glob
import os
import random
import subprocess
import sys
import threading
import time

ROUND_MAX_S = 3600
PROGRESS_EVERY_S = 60


class Program:
    """One of the tests that take a seed: what a round of it runs, and how much, as far as the environment says nothing.

    What is no different with another seed is left out of the programs that have much of it.
    """

    def __init__(self, suite, what="", variable=None, amount=None):
        self.suite, self.what, self.variable, self.amount = suite, what, variable, amount

    def amounts(self):
        """What the environment says of how much a round does."""
        return {self.variable: os.environ.get(self.variable, self.amount)} if self.variable else {}


PROGRAMS = {
    "schedule": Program("schedule", "[schedule]~[exhaustive]", "TACT_SCHEDULES", "50000"),
    "staff": Program("schedule", "[schedule]~[exhaustive]", "TACT_SCHEDULES", "50000"),
    "model": Program("model", "[model]", "TACT_PROGRAMS", "5000"),
    "simulated_model": Program("simulation", "[model]", "TACT_PROGRAMS", "5000"),
    "recorded_model": Program("inspect", "[model]", "TACT_PROGRAMS", "5000"),
    "recorded_simulation": Program("inspect", "[model]", "TACT_PROGRAMS", "5000"),
    "inspect": Program("inspect"),
    "simulation": Program("simulation"),
    "stress": Program("stress"),
    "waiting": Program("stress"),
    "shared": Program("unit"),
    "unit": Program("unit"),
    "patterns": Program("patterns"),
    "data": Program("data"),
    "crash": Program("store", "", "TACT_PROGRAMS", "2000"),
    "bank_durable_tests": Program("examples", "", "TACT_KILLS", "1000"),
}


def path_of(build, name):
    """Where a test program is in a build: beside the others, in the folder of its sources, or with its example."""
    beside = os.path.join(build, "tests", name)
    folders = [os.path.join(build, of, "*", name) for of in ("tests", "examples")]
    inside = [path for folder in folders for path in glob.glob(folder) if os.path.isfile(path)]
    return inside[0] if inside else beside


class Campaign:
    def __init__(self, options):
        self.options = options
        self.began = time.monotonic()
        self.ends = self.began + options.hours * 3600
        self.lock = threading.Lock()
        # Below: guarded by the lock.
        self.started = self.passed = self.failed = 0
        self.running = set()
        self.stopped = False

    def run(self):
        # A build for a sanitizer may lack some programs.
        self.turns = [
            (build, name)
            for name in PROGRAMS
            for build in self.options.builds
            if os.path.isfile(path_of(build, name))
        ]
        for build in self.options.builds:
            os.makedirs(os.path.join(build, "long"), exist_ok=True)
        threads = [threading.Thread(target=self.work) for _ in os.sched_getaffinity(0)]
        for t in threads:
            t.start()
        try:
            while any(t.is_alive() for t in threads):
                for t in threads:
                    t.join(PROGRESS_EVERY_S / len(threads))
                self.tell()
        except KeyboardInterrupt:
            with self.lock:
                self.stopped = True
                for process in self.running:
                    process.kill()
        for t in threads:
            t.join()
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed or not self.passed else 0

    def tell(self):
        minutes = int(time.monotonic() - self.began) // 60
        print(f"  {minutes // 60} h {minutes % 60:02} min: {self.passed + self.failed} rounds, {self.failed} failed", flush=True)

    def next_round(self):
        with self.lock:
            over = self.stopped or time.monotonic() >= self.ends
            if over or (self.options.rounds and self.started >= self.options.rounds):
                return None
            self.started += 1
            return self.started

    def work(self):
        while (number := self.next_round()) is not None:
            self.one(*self.turns[number % len(self.turns)], random.SystemRandom().randrange(1 << 48))

    def one(self, build, name, seed):
        program = PROGRAMS[name]
        what = f"*{self.options.filter.replace(',', chr(92) + ',')}*" if self.options.filter else ""
        environment = {**os.environ, **program.amounts(), "TACT_SEED": str(seed)}
        log = os.path.join(build, "long", f"{name}-{seed}.log")
        with open(log, "w") as output:
            command = [path_of(build, name), *([what + program.what] if what + program.what else [])]
            process = subprocess.Popen(command, env=environment, stdout=output, stderr=subprocess.STDOUT)
            with self.lock:
                self.running.add(process)
            try:
                failed = process.wait(ROUND_MAX_S) != 0
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                failed = True
        with self.lock:
            self.running.discard(process)
            if self.stopped:
                return
            self.passed += not failed
            self.failed += failed
            if failed:
                self.keep(build, program, seed, log)
        if not failed:
            os.remove(log)

    def keep(self, build, program, seed, log):
        with open(log, errors="replace") as output:
            commands = [line[len("repeat: ") :].strip() for line in output if line.startswith("repeat: ")]
        if not commands:  # it broke without a word
            words = [f"{variable}={amount}" for variable, amount in program.amounts().items()]
            commands = [" ".join([f"TACT_SEED={seed}", *words, f"./dev test --suite {program.suite}"])]
        path = os.path.join(build, "failing_seeds")
        with open(path, "a") as kept:
            for command in commands:
                print(command, file=kept)
                print(f"  FAILED ({log}); to repeat it:\n    {command}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("builds", nargs="+", help="the folders of builds with tests")
    parser.add_argument("--hours", type=float, default=2, help="rounds begin for so long; 2 unless given")
    parser.add_argument("--rounds", type=int, default=0, help="no more than so many")
    parser.add_argument("--filter", default="", help="only test cases with these words in their names")
    return Campaign(parser.parse_args()).run()


if __name__ == "__main__":
    sys.exit(main())
