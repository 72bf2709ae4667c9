"""The charts of the report, each an SVG text, or None where there is nothing to show."""

import math

from svg import COLOURS, FAINT, INK, LogAxis, bar, figure, legend, picture, polyline, text, whisker
from tables import geometric_mean

LEFT, WIDTH, BAR, GAP, TOP = 270, 500, 13, 10, 70
TOTAL_WIDTH = LEFT + WIDTH + 90
HOW_TO_READ = "logarithmic; shorter is better; thin lines: from the fastest run to the slowest"
ORDER = ("floor", "tact", "caf", "threads", "plain", "1", "2", "4", "8", "16", "32", "64")


def grouped(rows, value):
    """[(name, [(runtime, value, ends)])] of those rows that have a value, names in their order. The ends are what the
    value was in the fastest run and in the slowest one; None where that was not kept, or the value is no time of a run."""
    groups = {}
    for row in rows:
        if value(row):
            groups.setdefault(row["name"], []).append((row["runtime"], value(row), ends(row, value)))
    return [(name, sorted(bars, key=lambda b: ORDER.index(b[0]))) for name, bars in groups.items()]


def ends(row, value):
    """Times are in proportion to the seconds of a run; other values stay the same when those change."""
    if row.get("runs", 1) < 2 or "seconds_min" not in row:
        return None
    found = tuple(value({**row, "seconds": row[key], "ns_per_message": of_run(row, row[key])}) for key in ("seconds_min", "seconds_max"))
    return found if found[0] != found[1] else None


def of_run(row, seconds):
    return row["ns_per_message"] and row["ns_per_message"] * seconds / row["seconds"]


def bars(title, groups, low, mark=None):
    """Groups of horizontal bars on a logarithmic axis; `mark` is a value with a line of its own. A thin line goes from the
    fastest run to the slowest."""
    if not groups:
        return None
    axis = LogAxis(low, max(max([value, *(between or ())]) for _, group in groups for _, value, between in group) * 1.5, LEFT, WIDTH)
    height = TOP + sum(BAR * len(group) + GAP for _, group in groups) + 34
    runtimes = [r for r in ORDER if any(r == runtime for _, group in groups for runtime, *_ in group)]
    out = [text(16, 26, title, 16), *legend(runtimes, 16, 52), *axis.grid(TOP - 6, height - 30)]
    if mark:
        x = axis.x(mark)
        out.append(f'<line x1="{x:.0f}" x2="{x:.0f}" y1="{TOP - 6}" y2="{height - 30}" stroke="{INK}" stroke-dasharray="4 3"/>')
    y = TOP
    for name, group in groups:
        shown = name.removeprefix("savina/").replace("_", " ")
        out.append(text(LEFT - 10, y + BAR * len(group) / 2 + 5, shown, 13, "end"))
        for runtime, value, between in group:
            said = f", runs from {figure(between[0])} to {figure(between[1])}" if between else ""
            out.append(bar(LEFT, y, axis.x(value) - LEFT, BAR - 1, COLOURS[runtime], f"{name}, {runtime}: {figure(value)}{said}"))
            if between:
                out.append(whisker(axis.x(between[0]), axis.x(between[1]), y + (BAR - 1) / 2))
            out.append(text(max(axis.x(value), axis.x(between[1]) if between else 0) + 5, y + BAR - 3, figure(value), 11))
            y += BAR
        y += GAP
    return picture(TOTAL_WIDTH, height, out)


def plural(threads):
    return f"{threads} thread{'s' if threads > 1 else ''}"


def with_threads(rows, threads):
    return [r for r in rows if r["threads"] == threads]


def times(rows, threads):
    # A message of matrix is a million multiplications: it would stretch the axis, and is seen beside its floor.
    chosen = [r for r in with_threads(rows, threads) if not r["name"].startswith("matrix")]
    groups = grouped(chosen, lambda r: r["ns_per_message"])
    return bars(f"ns per message, {plural(threads)}, {HOW_TO_READ}", groups, 1.0)


def whole_times(rows, threads):
    groups = grouped(with_threads(rows, threads), lambda r: r["seconds"] * 1000)
    return bars(f"ms, {plural(threads)}, {HOW_TO_READ}", groups, 0.1)


def against(rows, runtime):
    """runtime's rows by case and threads."""
    return {(r["name"], r["threads"]): r for r in rows if r["runtime"] == runtime}


def against_floors(rows, of="ns_per_message"):
    floors = against(rows, "floor")
    found = []
    for row in rows:
        floor = floors.get((row["name"], row["threads"]))
        if floor and floor[of] and row[of] and row["runtime"] != "floor":
            name = row["name"] + (f", {plural(row['threads'])}" if row["threads"] > 1 else "")
            found.append({**row, "name": name, "times": row[of] / floor[of]})
    title = "how many times the floor of the same run; the broken line is the floor"
    return bars(title, grouped(found, lambda r: r["times"]), 0.1, mark=1)


def against_caf(rows, of="ns_per_message"):
    """How many times as long CAF takes, a bar for each number of threads."""
    peers = against(rows, "caf")
    found = []
    for row in rows:
        peer = peers.get((row["name"], row["threads"]))
        if peer and row["runtime"] == "tact" and row[of]:
            found.append({**row, "runtime": str(row["threads"]), "times": peer[of] / row[of]})
    title = "how many times as long CAF takes, by threads; the broken line is tact"
    return bars(title, grouped(found, lambda r: r["times"]), 0.1, mark=1)


def scaling(rows):
    """How many times as fast as with one worker, a bar for each number of workers."""
    single = {r["name"]: r["seconds"] for r in with_threads(rows, 1) if r["runtime"] == "tact"}
    found = [
        {**r, "runtime": str(r["threads"]), "times": single[r["name"]] / r["seconds"]}
        for r in rows
        if r["runtime"] == "tact" and r["threads"] > 1 and r["name"] in single
    ]
    title = "tact: how many times as fast as with one worker, by workers; the broken line is one worker"
    return bars(title, grouped(found, lambda r: r["times"]), 0.1, mark=1)


def beside(rows):
    found = []
    for row in rows:
        threads = f", {plural(row['threads'])}" if row["threads"] > 1 else ""
        for other, ratio in row.get("beside", {}).items():
            found.append({**row, "name": f"{row['name']} / {other}{threads}", "times": ratio["seconds"]})
    title = "wall time as a multiple of a case that took turns with it; the broken line is that case"
    return bars(title, grouped(found, lambda r: r["times"]), 0.1, mark=1)


def memory(rows):
    """With the most threads that were measured on every runtime."""
    threads = max(r["threads"] for r in rows if r["runtime"] != "tact")
    chosen = [r for r in with_threads(rows, threads) if r["runtime"] != "floor" and "/" not in r["name"].removeprefix("savina/")]
    groups = grouped(chosen, lambda r: r["peak_rss_mib"])
    return bars(f"peak memory in MiB, {plural(threads)}, logarithmic; shorter is better", groups, 1.0)


def sweep(rows, factor):
    """A thin line for each program, a thick one for their geometric mean; ratios of the wall times to the defaults'."""
    values = list(dict.fromkeys(r["value"] for r in rows if r["factor"] == factor))
    by_program = {}
    for row in rows:
        if row["factor"] == factor:
            by_program.setdefault(row["program"], {})[row["value"]] = row["wall_ratio"]
    whole = {name: found for name, found in by_program.items() if len(found) == len(values)}
    if len(values) < 2 or not whole:
        return None
    height, top, bottom, most = 300, 50, 250, 2.0

    def y(ratio):  # from a half to the double, logarithmic
        return bottom - (bottom - top) * (math.log2(min(max(ratio, 1 / most), most)) + 1) / 2

    def x(i):
        return LEFT + WIDTH * i / (len(values) - 1)

    out = [text(16, 26, f"{factor}: wall time as a multiple of the default's; thick: the geometric mean of {len(whole)} programs", 16)]
    for mark in (0.5, 0.71, 1, 1.41, 2):
        out.append(f'<line x1="{LEFT}" x2="{LEFT + WIDTH}" y1="{y(mark):.0f}" y2="{y(mark):.0f}" stroke="{INK if mark == 1 else FAINT}"/>')
        out.append(text(LEFT - 8, y(mark) + 4, f"{mark:g}", 12, "end"))
    out += [text(x(i), bottom + 20, str(value), 12, "middle") for i, value in enumerate(values)]
    for name, found in whole.items():
        out.append(polyline([(x(i), y(found[v])) for i, v in enumerate(values)], COLOURS["floor"], 1, name))
    mean = [geometric_mean([found[v] for found in whole.values()]) for v in values]
    out.append(polyline([(x(i), y(m)) for i, m in enumerate(mean)], COLOURS["tact"], 3, "geometric mean"))
    return picture(TOTAL_WIDTH, height, out)
