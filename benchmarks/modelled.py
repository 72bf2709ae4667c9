"""What runs in a model say: their figures, medians, tables, and the picture of the speed-ups. Nothing here runs a program."""

import math
import re
import statistics

from measure import number
from svg import COLOURS, FAINT, INK, figure, legend, picture, polyline, text
from tables import Table

# Where a line of memory comes from, the nearest first; l2 is a core's own.
WAYS = ("l3", "same_l3", "same_package", "other_package", "memory", "other_memory")
FROM_CORES = ("same_l3", "same_package", "other_package")
WITHIN = (0.75, 1.25)  # what a model predicts, as a multiple of what is measured
PLAIN = ", plain"  # at the end of a name: not on tact, but on threads with a lock for each queue


# -- machines


def units_of(words):
    """How many processing units a machine has. Raises ValueError, which names the word that is none."""
    units = 1
    kept = re.sub(r"\([^()]*\)|\[[^][]*\]", "", words)  # sizes of caches, and memories
    if not kept.split():
        raise ValueError("a machine has at least one word, such as core:8")
    for word in kept.split():
        found = re.fullmatch(r"(?:[A-Za-z]\w*:)?([1-9]\d*)", word)
        if not found:
            raise ValueError(f"{word} is no word of a machine")
        units *= int(found[1])
    return units


def usual_workers(units):
    """Powers of two, and all."""
    return sorted({1 << i for i in range(units.bit_length())} | {units})


# -- figures


def figures(told, said, workers):
    """Of one run: `told` by the model; `said` by the program itself, where it prints an object as those of the suite do."""
    messages, seconds = said.get("messages") or told["messages"], said.get("seconds") or told["seconds"]
    if not messages or not seconds:
        raise ValueError("no message was handled while the model counted")
    ways = told["transfers"]
    return {
        "ns_per_message": seconds * 1e9 / messages,
        "seconds": seconds,
        "messages": messages,
        "waited_ns": sum(way["waited_ns"] for way in ways.values()) / messages,
        "per_chunk": told["published"] / told["chunks_published"] if told["chunks_published"] else None,
        **{key: told[key] for key in ("steals", "adoptions", "wakes", "sleeps")},
        "idle": max(0.0, 1 - told["busy_seconds"] / (workers * told["seconds"])) if told["seconds"] else None,
        "mib": told["pages_touched"] / 256,
        "transfers": {way: ways.get(way, {"lines": 0})["lines"] / messages for way in WAYS},
    }


def median(values):
    """None where no run has a value."""
    known = [v for v in values if v is not None]
    return statistics.median(known) if known else None


def summary(runs):
    """Medians of each figure."""
    found = {key: median([run[key] for run in runs]) for key in runs[0] if key != "transfers"}
    return found | {"transfers": {way: median([run["transfers"][way] for run in runs]) for way in WAYS}}


def middle(runs):
    """Which run is the median of the times."""
    return sorted(range(len(runs)), key=lambda i: runs[i]["ns_per_message"])[(len(runs) - 1) // 2]


def hot_spots(spots, messages, count):
    """Per message, those on which most is waited."""
    return [
        {
            "name": spot["name"],
            "transfers": spot["transfers"] / messages,
            "waited_ns": spot["waited_ns"] / messages,
            "writers": spot["writers"],
        }
        for spot in spots[:count]
    ]


def compare(rows):
    """Adds to the rows of one program what they are beside its row with one worker."""
    single = next((row for row in rows if row["workers"] == 1), None)
    for row in rows:
        row["speed_up"] = single and single["ns_per_message"] / row["ns_per_message"]
        row["efficiency"] = single and row["speed_up"] / row["workers"]
        more = row["workers"] - 1
        row["mib_per_worker"] = (row["mib"] - single["mib"]) / more if single and more else None
    return rows


def predicted(name, measured, modelled):
    """`measured`, `modelled`: the ns per message with one and with two workers, run by run."""
    ratio = statistics.median(two / one for one, two in zip(*measured))
    model = statistics.median(modelled[1]) / statistics.median(modelled[0])
    return {
        "name": name,
        "measured": [statistics.median(ns) for ns in measured],
        "measured_ratio": ratio,
        "modelled": [statistics.median(ns) for ns in modelled],
        "modelled_ratio": model,
        "ratio": model / ratio,
    }


def outside(rows):
    return [row["name"] for row in rows if not WITHIN[0] <= row["ratio"] <= WITHIN[1]]


# -- tables


def plural(count, noun="worker"):
    return f"{count} {noun}{'s' if count > 1 else ''}"


def percent(value):
    return "-" if value is None else f"{100 * value:.0f} %"


def times_table(rows):
    lines = [
        [str(r["workers"]), figure(r["ns_per_message"]), number(1e3 / r["ns_per_message"]), number(r["speed_up"], 2),
         percent(r["efficiency"]), percent(r["idle"]), number(r["mib_per_worker"], 2)]
        for r in rows
    ]
    return Table(["workers", "ns", "million/s", "speed-up", "efficiency", "idle", "MiB more a worker"], lines)


def transfers_table(rows):
    lines = [
        [str(r["workers"]), *(number(r["transfers"][way], 3) for way in WAYS), number(r["waited_ns"])] for r in rows
    ]
    return Table(["workers", *WAYS, "waited, ns"], lines)


def scheduling_table(rows):
    lines = [
        [str(r["workers"]), number(r["per_chunk"]), *(f"{r[key]:.0f}" for key in ("steals", "adoptions", "wakes", "sleeps"))]
        for r in rows
    ]
    return Table(["workers", "messages in a chunk", "steals", "adoptions", "wake-ups", "sleeps"], lines)


def short(name):
    """Without what stands between the brackets of templates."""
    before = None
    while before != name:
        before, name = name, re.sub(r"<[^<>]*>", "", name)
    return name


def spots_table(title, spots):
    lines = [
        [number(s["transfers"], 3), number(s["waited_ns"], 2), str(s["writers"] or "-"), short(s["name"])] for s in spots
    ]
    return Table(["transfers", "waited, ns", "writers", title], lines)


def by_program(rows):
    """name -> its rows, the fewest workers first."""
    found = {}
    for row in sorted(rows, key=lambda r: r["workers"]):
        found.setdefault(row["name"], []).append(row)
    return {name: found[name] for name in dict.fromkeys(row["name"] for row in rows)}


def suite_table(rows):
    """A line for each program: its speed-ups, and what a message costs with the most workers."""
    counts = sorted({row["workers"] for row in rows})
    lines = []
    for name, own in by_program(rows).items():
        by_workers = {row["workers"]: row for row in own}
        single, most = by_workers.get(1), own[-1]
        lines.append([
            name,
            figure(single["ns_per_message"]) if single else "-",
            *(number(by_workers[n]["speed_up"], 2) if n in by_workers else "-" for n in counts if n > 1),
            figure(most["ns_per_message"]),
            number(sum(most["transfers"][way] for way in FROM_CORES), 2),
            figure(most["waited_ns"]),
            percent(most["idle"]),
            number(most["mib_per_worker"], 2),
        ])
    head = ["program", "ns with 1 worker", *(f"{n}" for n in counts if n > 1), f"ns with {counts[-1]}",
            "lines from other cores", "ns waited", "idle", "MiB more a worker"]
    return Table(head, lines)


def pairs_of(programs):
    """[(name, its rows on tact, its rows on the plain executor)] of those that have both."""
    return [(name, own, programs[name + PLAIN]) for name, own in programs.items() if name + PLAIN in programs]


def plain_table(rows):
    """What a message costs on tact and on the plain executor, and how many times as much on the latter."""
    counts = sorted({row["workers"] for row in rows})
    lines = []
    for name, *both in pairs_of(by_program(rows)):
        tact, plain = ({row["workers"]: row["ns_per_message"] for row in own} for own in both)
        shown = [n for n in counts if n in tact and n in plain]
        ends = [figure(ns[n]) if n in shown else "-" for n in (counts[0], counts[-1]) for ns in (tact, plain)]
        lines.append([name, *ends, *(number(plain[n] / tact[n], 2) if n in shown else "-" for n in counts)])
    head = [f"ns with {plural(n)}: {what}" for n in (counts[0], counts[-1]) for what in ("tact", "plain")]
    return Table(["program", *head, *(f"plain / tact with {n}" for n in counts)], lines)


def predicted_table(rows):
    lines = [
        [row["name"], *map(figure, row["measured"]), number(row["measured_ratio"], 2),
         *map(figure, row["modelled"]), number(row["modelled_ratio"], 2), number(row["ratio"], 2)]
        for row in rows
    ]
    return Table(["program", "measured: ns with 1", "with 2", "2 / 1", "modelled: ns with 1", "with 2", "2 / 1",
                  "modelled / measured"], lines)


# -- the picture

ACROSS, PANEL, PANEL_HEIGHT, INNER, INNER_HEIGHT = 4, 214, 182, 146, 120


def panel(name, rows, plain, left, top, counts, lowest):
    """One program: how many times as fast as with one worker, on tact and, if there are such rows, on the plain executor;
    the broken line is what it could be at best."""
    highest = math.log2(counts[-1]) or 1.0

    def x(workers):
        return left + INNER * math.log2(workers) / highest

    def y(times):
        return top + INNER_HEIGHT * (1 - (math.log2(max(times, lowest)) - math.log2(lowest)) / (highest - math.log2(lowest)))

    out = [text(left, top - 10, name, 13)]
    mark = lowest
    while mark <= counts[-1]:
        out.append(f'<line x1="{left}" x2="{left + INNER}" y1="{y(mark):.1f}" y2="{y(mark):.1f}" stroke="{INK if mark == 1 else FAINT}"/>')
        out.append(text(left - 5, y(mark) + 4, f"{mark:g}" if mark >= 1 else f"1/{1 / mark:g}", 10, "end"))
        mark *= 4
    out += [text(x(n), top + INNER_HEIGHT + 14, str(n), 10, "middle") for n in counts]
    best = f"{x(1):.1f},{y(1):.1f} {x(counts[-1]):.1f},{y(counts[-1]):.1f}"
    out.append(f'<polyline points="{best}" fill="none" stroke="{COLOURS["floor"]}" stroke-dasharray="4 3"/>')
    for title, own, colour in ((name + PLAIN, plain, COLOURS["plain"]), (name, rows, COLOURS["tact"])):
        if not own:
            continue
        said = ", ".join(f"{row['workers']}: {figure(row['speed_up'])}" for row in own)
        out.append(polyline([(x(row["workers"]), y(row["speed_up"])) for row in own], colour, 2.5, f"{title}, {said}"))
        last = own[-1]
        out.append(text(x(last["workers"]) + 5, y(last["speed_up"]) + 4, f"{last['speed_up']:.2g}", 11, colour=colour))
    return out


def speed_ups(rows):
    """A small panel for each program, all with the same axes; None where nothing has a speed-up."""
    programs = by_program([row for row in rows if row["speed_up"]])
    counts = sorted({row["workers"] for own in programs.values() for row in own})
    if len(counts) < 2:
        return None
    least = min(row["speed_up"] for own in programs.values() for row in own)
    lowest = 4.0 ** min(0, math.floor(math.log(least, 4)))
    out = [text(16, 26, "times as fast as with one worker, by workers; the broken line: at best", 16)]
    plain = {name: others for name, _, others in pairs_of(programs)}
    first = 66
    if plain:
        out += legend(["tact", "plain"], 16, 50)
        first += 24
    shown = {name: own for name, own in programs.items() if name.removesuffix(PLAIN) not in plain or name in plain}
    for i, (name, own) in enumerate(shown.items()):
        out += panel(name.removeprefix("savina/").replace("_", " "), own, plain.get(name), 40 + PANEL * (i % ACROSS),
                     first + PANEL_HEIGHT * (i // ACROSS), counts, lowest)
    return picture(40 + PANEL * min(ACROSS, max(len(shown), 3)), first + PANEL_HEIGHT * math.ceil(len(shown) / ACROSS), out)
