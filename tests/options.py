#!/usr/bin/env python3
"""Builds and runs the tests. The last line is "N passed, N failed"."""

import argparse
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SUITES = ("unit", "schedule", "simulation", "stress", "patterns", "data", "model", "tidy", "gui", "compile_fail", "examples")
ON_REQUEST = ("consumer", "headers", "modelled")
ENVIRONMENT = """environment:
  TACT_SEED       repeats a random test
  TACT_EXPLORE_MS, TACT_SCHEDULES
                  the time in which schedules of a scenario are explored, or a number of them instead
  TACT_PROGRAMS, TACT_ORDERS
                  how many random programs, and how many of the orders in which each is simulated
  JOBS            the number of compilers at a time"""


def hours(text):
    """A type of options: their seconds."""
    if not re.fullmatch(r"[0-9]+([.][0-9]+)?", text):
        raise argparse.ArgumentTypeError(f"a number of hours, not {text}")
    return int(float(text) * 3600)


def read_arguments(arguments=None):
    parser = argparse.ArgumentParser(
        prog="./dev test", description=__doc__, epilog=ENVIRONMENT, formatter_class=argparse.RawDescriptionHelpFormatter)
    how = parser.add_argument_group("how")
    how.add_argument("--tsan", action="append_const", dest="how", const="tsan", help="under ThreadSanitizer")
    how.add_argument("--asan", action="append_const", dest="how", const="asan",
                     help="under AddressSanitizer and UndefinedBehaviorSanitizer")
    how.add_argument("--gcc", action="append_const", dest="how", const="gcc",
                     help="built by GCC, together with one of those too; it is clang 16 otherwise")
    how.add_argument("--all", action="append_const", dest="how", const="all",
                     help="with a sanitizer: all tests, not only those that it is for")
    how.add_argument("--repeat", metavar="N", default="", help="each test case N times")
    how.add_argument("--busy", metavar="K", default="0",
                     help="with --repeat: while K processes do nothing but take processor time")
    what = parser.add_argument_group("what")
    what.add_argument("--filter", metavar="WORDS", default="",
                      help="only test cases with WORDS in their names, or with a [tag]")
    what.add_argument("--suite", metavar="NAME", action="append", default=[],
                      help=f"only this suite: {' '.join(SUITES)}, or one that is run only so: {' '.join(ON_REQUEST)}")
    what.add_argument("--long", metavar="HOURS", type=hours, nargs="?", const=hours("2"),
                      help="instead: all tests in all builds, also those that are left out otherwise; then with fresh seeds "
                      "again and again, together for so long, 2 hours unless given; what repeats a failure is kept in "
                      "build/*/failing_seeds")
    return parser.parse_args(arguments)


def chosen(options):
    """What test_chosen takes."""
    seconds = "" if options.long is None else str(options.long)
    return [seconds, options.filter, options.repeat, options.busy, " ".join(options.how or ()), *options.suite]


def main():
    words = chosen(read_arguments())
    os.chdir(ROOT)
    os.execvp("bash", ["bash", "-c", '. ./dev\ntest_chosen "$@"', "tests", *words])


if __name__ == "__main__":
    main()
