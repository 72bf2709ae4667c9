"""What the drivers of all measurements share: programs that are run, turns, medians, progress, command lines, files."""

import argparse
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time


class Failed(Exception):
    """A measurement that could not be made. Its text names the command and says why."""


# -- programs


def finished(command, timeout_s=300, environment=None):
    """The process of a command that has ended, however it ended. `environment`: what it has beside ours."""
    env = os.environ | environment if environment else None
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=timeout_s, env=env)
    except subprocess.TimeoutExpired as e:
        raise Failed(f"{shown(command)}: did not end within {timeout_s} s") from e
    except OSError as e:
        raise Failed(f"{shown(command)}: {e}") from e


def run(command, timeout_s=300, environment=None):
    """The process of a command that has ended well."""
    done = finished(command, timeout_s, environment)
    if done.returncode != 0:
        raise Failed(f"{shown(command)}: ended with {done.returncode}: {(done.stdout + done.stderr).strip()[-3000:]}")
    return done


def result_in(command, done):
    """What a program of the suite says of its run."""
    try:
        return json.loads(done.stdout)
    except ValueError as e:
        raise Failed(f"{shown(command)}: ended with {done.returncode}, without a result: {done.stderr.strip()[-300:]}") from e


def result_of(command, timeout_s=300):
    return result_in(command, run(command, timeout_s))


def said(result):
    """The words name=value that the program says of its run."""
    return dict(word.split("=", 1) for word in result["parameters"].split() if "=" in word)


def ns_per_message(result):
    """Wall and processor time."""
    return {kind: result[key] * 1e9 / result["messages"] for kind, key in (("wall", "seconds"), ("cpu", "cpu_seconds"))}


def shown(command):
    return " ".join([os.path.basename(command[0]), *command[1:]])


def has_valgrind():
    return shutil.which("valgrind") is not None


def counted(command, tool, counts):
    """The result of a program that runs under this tool of valgrind, and what the tool counts: `counts` are patterns with
    one group each, which is a number with commas."""
    with tempfile.NamedTemporaryFile() as out:
        done = run(["valgrind", *tool, f"--{tool[0].removeprefix('--tool=')}-out-file={out.name}", *command])
    found = [re.search(pattern, done.stderr) for pattern in counts]
    if None in found:
        raise Failed(f"{shown(command)}: valgrind does not say {counts[found.index(None)]}")
    return result_in(command, done), [int(match[1].replace(",", "")) for match in found]


# -- turns


def turns(count, candidates, run_one, what=""):
    """candidate -> its runs. In each turn every candidate runs once, so all meet the same load of the machine."""
    runs = {one: [] for one in candidates}
    for turn in range(count):
        for one in candidates:
            progress(f"{what}turn {turn + 1} of {count}")
            runs[one].append(run_one(one))
    return runs


def median(runs, key):
    return statistics.median(run[key] for run in runs)


def median_ratio(own, others, key):
    """The median of the ratios of the single turns."""
    return statistics.median(mine[key] / theirs[key] for mine, theirs in zip(own, others))


PROGRESS_EVERY_S = 60
last_told = time.monotonic()


def progress(text):
    """Says how far a long measurement is: on a terminal the next line replaces it, in a log it is a line a minute."""
    global last_told
    if sys.stderr.isatty():
        print(f"\r  {text.ljust(76)}\r", end="", file=sys.stderr)
    elif time.monotonic() - last_told >= PROGRESS_EVERY_S:
        last_told = time.monotonic()
        print(f"  {text}", file=sys.stderr, flush=True)


def number(value, digits=1):
    return "-" if value is None else f"{value:.{digits}f}"


# -- command lines


def in_dev(function, *words):
    """The command that calls a function of ./dev."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return ["bash", "-c", 'cd "$1"; shift; . ./dev\n"$@"', "dev", root, function, *words]


def parser_of(name, doc, brief, runs=None, build=None):
    """With the options that all drivers have. runs: how many turns there are unless given. build: a folder that is built
    for the driver where none is given."""
    parser = argparse.ArgumentParser(prog=name, description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    if build:
        parser.add_argument("--build", metavar="FOLDER", help=f"a build folder; {build} unless given")
    else:
        parser.add_argument("build", help="a build folder; measure in a release build")
    parser.add_argument("--json", metavar="FILE", help="write everything that was measured to FILE")
    parser.add_argument("--brief", action="store_true", help=brief)
    if runs is not None:
        parser.add_argument("--runs", metavar="N", type=count, help=f"turns; {runs} unless given")
        parser.set_defaults(usual_runs=runs)
    return parser


def parse(parser, needs):
    """needs: a program of the benchmarks that must have been built, except for --list."""
    options = parser.parse_args()
    if "usual_runs" in options:
        if options.runs is None:
            options.runs = 1 if options.brief else options.usual_runs
    if not getattr(options, "list", False) and not os.path.exists(os.path.join(options.build, "benchmarks", needs)):
        parser.error(f"{options.build} has no benchmarks: build them first")
    return options


def count(text):
    """A type of options: a whole number of something, at least one."""
    number = int(text) if re.fullmatch(r"[0-9]{1,9}", text) else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"a whole number from 1 to 999999999, not {text}")
    return number


def amount(text):
    """A type of options: a positive number, which has an end."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"a positive number, not {text}")
    return number


def expression(text):
    """A type of options: a regular expression."""
    try:
        return re.compile(text).pattern
    except re.error as e:
        raise argparse.ArgumentTypeError(f"no regular expression: {e}") from e


def matching(parser, pattern, things, name=lambda thing: thing.name):
    """Those of the things whose names match what --filter says."""
    try:
        found = [thing for thing in things if re.search(pattern, name(thing))]
    except re.error as e:
        parser.error(f"--filter is no regular expression: {e}")
    if not found:
        parser.error(f"nothing is called {pattern}")
    return found


def numbers(parser, text, option="--threads"):
    """A list such as 1,2."""
    if not re.fullmatch(r"[1-9]\d{0,3}(,[1-9]\d{0,3})*", text):
        parser.error(f"{option} is a list of numbers such as 1,2, not {text}")
    return [int(word) for word in text.split(",")]


# -- files


def write_json(path, rows, measured_on=None):
    """The results, and beside them what they were measured on."""
    for name, content in ((path, rows), (path + ".about.json", measured_on)):
        if content is not None:
            with open(name, "w", encoding="utf-8") as file:
                json.dump(content, file, indent=1, ensure_ascii=False)
                file.write("\n")
