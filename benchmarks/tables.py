"""The tables of the report: each a head, and lines of as many cells."""

import math
from collections import namedtuple

Table = namedtuple("Table", "head lines")

RUNTIMES = ("tact", "floor", "caf", "threads", "plain")


def cell(entry, best):
    if entry is None:
        return "-"
    if entry["ns_per_message"] is None:
        return f"{100 * entry['cpu_seconds'] / entry['seconds']:.3f} %"
    ns = entry["ns_per_message"]
    text = f"{ns:.1f}" if ns < 1000 else f"{ns:,.0f}"
    return f"**{text}**" if entry is best else text


def by_case(entries):
    """name -> runtime -> threads -> entry; names in their order."""
    found = {}
    for e in entries:
        found.setdefault(e["name"], {}).setdefault(e["runtime"], {})[e["threads"]] = e
    return found


def per_message(entries, threads):
    """ns per message of every case with so many threads; the fastest of tact and its peers is bold."""
    lines = []
    says_missed = any("missed_per_1000" in said_by(e) for e in entries)
    # The plain executor has few programs, and no column where none of them was run; nor have missed gulps where no
    # program said how many there were.
    runtimes = [r for r in RUNTIMES if r != "plain" or any(e["runtime"] == r for e in entries)]
    for name, by_runtime in by_case([e for e in entries if e["threads"] == threads]).items():
        here = {runtime: by_threads[threads] for runtime, by_threads in by_runtime.items()}
        tact = here.get("tact")
        if tact is None:
            continue
        rivals = [here[r] for r in runtimes if r in here and r != "floor"]
        timed = [e for e in rivals if e["ns_per_message"] is not None]
        best = min(timed, key=lambda e: e["ns_per_message"]) if len(timed) > 1 else None
        line = next((w for w in tact["parameters"].split() if w in ("near", "far")), "")
        ratios = [
            f"{here[r]['ns_per_message'] / tact['ns_per_message']:.2f}" if r in here and tact["ns_per_message"] else "-"
            for r in runtimes[1:]
        ]
        lines.append([name, *(cell(here.get(r), best) for r in runtimes), *ratios,
                      f"{tact['cpu_seconds'] / tact['messages'] * 1e9:.1f}" if tact["messages"] else "-",
                      f"{tact['peak_rss_mib']:.0f}", *([said_by(tact).get("missed_per_1000", "-")] if says_missed else []), line])
    return Table(["case", *runtimes, *(f"{r} / tact" for r in runtimes[1:]), "tact: CPU", "tact: MiB",
                  *(["missed of 1,000 gulps"] if says_missed else []), "line"], lines)


def milliseconds(entry):
    """Median ± half of the 95 % confidence interval of the mean."""
    if entry is None:
        return "-"
    ms, half = entry["seconds"] * 1000, entry.get("seconds_ci95")
    digits = 1 if ms < 100 else 0
    return f"{ms:.{digits}f}" + (f" ± {half * 1000:.{digits}f}" if half is not None else "")


def ratio(above, below):
    return f"{above['seconds'] / below['seconds']:.2f}" if above and below else "-"


def whole(entries, threads):
    """ms of every program, with so many threads, beside CAF and the same work without a runtime."""
    lines = []
    for name, by_runtime in by_case(entries).items():
        tact, caf, floor = (by_runtime.get(r, {}).get(threads) for r in ("tact", "caf", "floor"))
        if tact is None:
            continue
        single = by_runtime["tact"].get(1)
        lines.append([name, milliseconds(tact), milliseconds(caf), ratio(caf, tact), milliseconds(floor),
                      ratio(tact, floor), ratio(single, tact) if threads > 1 else "-", f"{tact['cpu_seconds'] * 1000:.1f}",
                      f"{caf['cpu_seconds'] * 1000:.1f}" if caf else "-", f"{tact['peak_rss_mib']:.0f}",
                      f"{caf['peak_rss_mib']:.0f}" if caf else "-"])
    return Table(["program", "tact, ms", "CAF, ms", "CAF / tact", "one thread without a runtime, ms", "tact / that",
                  "times as fast as with 1", "tact: CPU ms", "CAF: CPU ms", "tact: MiB", "CAF: MiB"], lines)


def comparisons(entries):
    """Of those that took turns: time on tact as a multiple of another case's."""
    lines = [
        [e["name"], name, str(e["threads"]), f"{found['seconds']:.2f}", f"{found['cpu_seconds']:.2f}"]
        for e in entries
        for name, found in e.get("beside", {}).items()
    ]
    return Table(["case", "as a multiple of", "threads", "wall", "CPU"], lines)


# What a program says of itself that belongs into a table.
FIGURES = ("worst_runs", "per_second", "retired", "growth", "difference")


def said_by(entry):
    return dict(word.split("=", 1) for word in entry["parameters"].split() if "=" in word)


def figures(entries):
    lines = []
    for e in entries:
        said = said_by(e)
        if e["runtime"] == "tact" and any(f in said for f in FIGURES):
            lines.append([e["name"], str(e["threads"]), *(said.get(f, "-") for f in FIGURES)])
    return Table(["case", "threads", *(f.replace("_", " ") for f in FIGURES)], lines)


def geometric_mean(values):
    return math.exp(sum(math.log(v) for v in values) / len(values))


def swept(rows):
    """Of each value of a factor: the geometric means over the programs of the ratios to the defaults, and the extremes."""
    by_value = {}
    for row in rows:
        by_value.setdefault((row["factor"], row["value"]), []).append(row)
    lines = []
    for (factor, value), found in by_value.items():
        means = [f"{geometric_mean([r[f'{key}_ratio'] for r in found]):.3f}" for key in ("wall", "cpu", "mib")]
        found = sorted(found, key=lambda r: r["wall_ratio"])
        ends = [f"{r['program']} {r['wall_ratio']:.2f}" for r in (found[-1], found[0])]
        lines.append(["the defaults again" if factor == "again" else f"{factor} = {value}", *means, *ends])
    return Table(["", "wall", "CPU", "memory", "slowest", "fastest"], lines)


def markdown(table):
    rows = [table.head, ["---"] * len(table.head), *table.lines]
    return "\n".join("|---" * len(table.head) + "|" if row[0] == "---" else "| " + " | ".join(row) + " |" for row in rows)


def columns(table, left=0):
    """For a terminal. Column `left` stands to the left, the others to the right."""
    rows = [table.head, *table.lines]
    widths = [max(len(row[i]) for row in rows) for i in range(len(table.head))]

    def placed(i, cell):
        return cell.ljust(widths[i]) if i == left else cell.rjust(widths[i])

    return "\n".join("  ".join(placed(i, cell) for i, cell in enumerate(row)).rstrip() for row in rows)
