"""The JSON of a trace, read as Perfetto reads it: nested slices, arrows with two ends inside slices, files cut off."""

import collections
import json
import subprocess
import sys


def load(text):
    """A bare array whose end may be missing, as the format allows."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return json.loads(text[: text.rindex("},") + 1] + "]")


def slices_of(records):
    tracks = collections.defaultdict(list)
    for r in records:
        if r["ph"] == "X":
            begin = round(r["ts"] * 1000)
            tracks[r["pid"], r["tid"]].append((begin, begin + round(r["dur"] * 1000), r))
    return tracks


def check_nesting(tracks):
    for track, slices in tracks.items():
        open_ends = []
        for begin, end, _ in sorted(slices, key=lambda s: (s[0], -s[1])):
            while open_ends and open_ends[-1] <= begin:
                open_ends.pop()
            assert not open_ends or end <= open_ends[-1], f"slices of track {track} overlap"
            open_ends.append(end)


def check_arrows(records, tracks):
    ends = collections.defaultdict(dict)
    for r in records:
        if r["ph"] in "sf":
            assert r["ph"] not in ends[r["id"]], f"arrow {r['id']} has two ends of one kind"
            ends[r["id"]][r["ph"]] = r
    assert ends, "there are no arrows"
    for number, pair in ends.items():
        assert set(pair) == {"s", "f"}, f"arrow {number} has one end"
        assert pair["s"]["ts"] <= pair["f"]["ts"], f"arrow {number} goes back in time"
        for r in pair.values():
            at = round(r["ts"] * 1000)
            inside = any(begin <= at <= end for begin, end, _ in tracks[r["pid"], r["tid"]])
            assert inside, f"arrow {number} ends in no slice"


def main(program):
    text = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    records = json.loads(text)
    tracks = slices_of(records)
    check_nesting(tracks)
    check_arrows(records, tracks)
    outcomes = collections.Counter(r.get("args", {}).get("outcome") for r in records if r["ph"] == "X" and r["pid"] == 1)
    assert outcomes["waits"] == 4 * 51 + 1, outcomes
    assert outcomes["failed"] == 4 * 6 + 1, outcomes
    assert sum(r["ph"] == "i" and r["name"].startswith('a "quoted" text\nof') for r in records) == 4 * 6 + 1
    names = {r["args"]["name"] for r in records if r["ph"] == "M" and r["name"] == "thread_name"}
    assert {"worker 0", "worker 1"} & names, names
    assert load(text[: len(text) // 2]) == records[: len(load(text[: len(text) // 2]))]
    print(f"{len(records)} records, 5 passed")


main(sys.argv[1])
