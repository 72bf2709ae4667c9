#!/usr/bin/env python3
"""Builds the benchmarks and runs the suite: each program on tact, beside its floor where it has one, in turn; prints a
table, and what a handler, a send and the headers cost the compiler. Or does one of the things named below instead."""

import argparse
import os
import subprocess
import sys

sys.dont_write_bytecode = True
import measure  # noqa: E402

# Mode -> the options that it takes.
TAKEN = {
    "suite": ("json", "threads", "runs", "filter", "peers", "brief"),
    "micro": ("json", "filter", "brief"),
    "options": ("json", "filter", "brief"),
    "sweep": ("json", "threads", "runs", "brief"),
    "defaults": ("json", "threads", "runs", "filter", "brief"),
    "shards": ("json", "threads", "runs", "filter", "brief"),
    "windows": ("brief",),
    "generation": ("json", "runs", "brief"),
    "compile_time": ("json", "runs", "brief"),
    "report": (),
}
IN_BRIEF = ("sweep", "generation", "defaults", "shards", "windows", "options")
HERE = os.path.dirname(os.path.abspath(__file__))


def parser_of_bench():
    parser = argparse.ArgumentParser(
        prog="./dev bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE", help="write the results to FILE, and what they were measured on to FILE.about.json")
    parser.add_argument("--threads", metavar="LIST", help="numbers of threads, such as 1,2, or of workers; what it is unless given depends on what is measured")
    parser.add_argument("--runs", metavar="N", type=measure.count, help="turns; 5 in the suite unless given")
    parser.add_argument("--filter", metavar="RE", type=measure.expression, default="", help="only programs whose names match")
    parser.add_argument("--peers", action="store_true",
                        help="the suite also on CAF, which is installed, and on two kinds of threads with locked queues")
    parser.add_argument("--brief", action="store_true",
                        help="tiny runs, once, and with the suite all of the following too; what can be simulated is, with "
                        "some seeds; it fails if one result is wrong")
    parser.add_argument("--micro", metavar="RE", type=measure.expression, nargs="?", const="",
                        help="the micro benchmarks, which look at single steps, or those whose names match")
    modes = {
        "--sweep": "hot with other collisions, stays and thresholds, in turns: what each does to its time; the library is "
                   "built eight times more for that, which takes some minutes at first",
        "--defaults": "the programs with other values of the engine's defaults, in turns: what each does to their times; "
                      "for values that are constants the library is built six times more",
        "--options": "tries each option of each program with small values, and with one that makes no sense, which must be refused",
        "--shards": "random traffic and the executor with few and with many shards, in turns with the same work by hand",
        "--windows": "in windows: from a press to what an actor shows, events a second, moves, idle",
        "--generation": "programs on a second build of the library, which does not check generations, in turns with the first",
        "--compile-time": "compiles programs that use tact, and prints what they cost the compiler",
    }
    for option, does in modes.items():
        parser.add_argument(option, action="append_const", dest="modes", const=option[2:].replace("-", "_"), help=does)
    parser.add_argument("--report", metavar="FILE", nargs="?", const="",
                        help="from benchmarks/results: the tables of docs/performance.md and docs/savina.md, and one page with "
                        "plots, docs/performance.html; from measurements of your own, which --json wrote: FILE.html")
    return parser


def read_arguments(arguments=None):
    parser = parser_of_bench()
    options = parser.parse_args(arguments)
    modes = [mode for mode in ("micro", "report") if getattr(options, mode) is not None] + (options.modes or [])
    if len(modes) > 1:
        parser.error(f"one of these at a time: {', '.join(modes)}")
    options.mode = modes[0] if modes else "suite"
    for name in TAKEN["suite"]:
        if getattr(options, name) and name not in TAKEN[options.mode]:
            parser.error(f"--{options.mode.replace('_', '-')} takes no --{name}")
    if options.mode == "micro":
        options.filter = options.micro or options.filter
    return options


def passed_on(options, *names):
    """These options as a driver reads them, if they were given."""
    words = []
    for name in names:
        value = getattr(options, name)
        words += [f"--{name}"] if value is True else [f"--{name}", str(value)] if value else []
    return words


def commands(options, at):
    """What is run in this build folder, one after the other."""
    def driver(name, *words):
        return [os.path.join(HERE, name), at, *words]

    if options.mode not in ("suite", "micro"):
        yield driver(options.mode, *passed_on(options, *TAKEN[options.mode]))
        return
    is_whole = options.mode == "suite" and not options.filter
    if options.mode == "suite":
        yield driver("run", *passed_on(options, *TAKEN["suite"]))
    if is_whole:
        yield driver("compile_time", *passed_on(options, "brief"))
    if is_whole and options.brief:
        yield from (driver(name, "--brief") for name in IN_BRIEF)
        for name in ("suite_test", "model_test"):
            yield measure.in_dev("step", name, f"{at}/{name}.log", "python3", "-B", f"benchmarks/{name}.py")
    if options.mode == "micro" or (is_whole and options.brief):
        json = options.json if options.mode == "micro" and options.json else f"{at}/micro.json"
        tiny = ["--repetitions", "1", "--min-time", "0.01"] if options.brief else []
        yield driver("micro/report", *tiny, *passed_on(options, "filter"), "--json", json)
        if not options.filter:  # what a change costs in a pattern with many members
            yield [f"{at}/benchmarks/changes", *(["--tiny"] if options.brief else [])]


def main():
    options = read_arguments()
    if options.mode == "report":
        return subprocess.run([os.path.join(HERE, "report"), *filter(None, [options.report])]).returncode
    at = "bench_brief" if options.brief else "bench"
    more = ["windows"] * (options.mode == "windows") + ["peers"] * options.peers
    for command in (measure.in_dev("prepare_bench", at, *more), *commands(options, f"build/{at}")):
        status = subprocess.run(command).returncode
        if status != 0:
            return status
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
