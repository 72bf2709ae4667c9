"""Where the programs of a build are, and on what they are measured."""

import datetime
import json
import os
import platform
import subprocess


def program_path(build, name, runtime):
    return os.path.join(build, "benchmarks", f"{name}_{runtime}")


def one_program(build, runtime):
    """That every build of the runtime has."""
    return program_path(build, "executor" if runtime == "plain" else "send", runtime)


def present(build, runtimes):
    """Those of them that were built."""
    return [r for r in runtimes if r == "tact" or os.path.exists(one_program(build, r))]


def said_by(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, cwd=os.path.dirname(os.path.abspath(__file__)))
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def build_type(build):
    try:
        options = json.loads(said_by(["meson", "introspect", os.path.abspath(build), "--buildoptions"]))
        return next(o["value"] for o in options if o["name"] == "buildtype")
    except (ValueError, StopIteration):
        return "unknown"


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(":")[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def facts(build, runtimes):
    versions = {
        r: said_by([os.path.abspath(one_program(build, r)), "--version"]).split("\n") for r in present(build, runtimes)
    }
    return {
        "machine": processor(),
        "processing_units": len(os.sched_getaffinity(0)),
        "system": f"{platform.system()} {platform.release()}",
        "compiler": versions["tact"][-1],
        "build_type": build_type(build),
        "commit": said_by(["git", "describe", "--always", "--dirty"]) or "unknown",
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "runtimes": {runtime: said[0] for runtime, said in versions.items()},
    }
