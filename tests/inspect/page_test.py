"""The page of a run: its data is what the trace and a recorder say of the same run, whatever the texts are."""

import collections
import html.parser
import json
import pathlib
import subprocess
import sys

SEEDS = range(1, 26)
# As tests/inspect/page.cpp has it, with a mark in the place of the byte that is no UTF-8.
ODD = "\"</script><script>throw 1</script>\" & '<b>' \\ \ufffd \x01 -->"
# In the order of tact::detail::trace_step and trace_outcome.
KINDS = "sent caused begun waits,goes on,undone created became ends over unserved marked parked woke stole restarted".replace(" ", ",")
KINDS = KINDS.replace("goes,on", "goes on").split(",")
OUTCOMES = ["", "committed", "failed", "forwarded", "put aside", "dead letter", "waits"]
TOLD_BY_ENGINE = set(KINDS)


class Scripts(html.parser.HTMLParser):
    """The texts of a page's scripts, by their types."""

    def __init__(self):
        super().__init__()
        self.texts = []
        self.inside = False

    def handle_starttag(self, tag, attrs):
        assert tag != "link" and not any(name in ("src", "href") for name, _ in attrs), f"<{tag}> asks for another file"
        if tag == "script":
            self.inside = True
            self.texts.append([dict(attrs).get("type"), ""])

    def handle_endtag(self, tag):
        self.inside = self.inside and tag != "script"

    def handle_data(self, data):
        if self.inside:
            self.texts[-1][1] += data


def run_of(page):
    scripts = Scripts()
    scripts.feed(page)
    assert [kind for kind, _ in scripts.texts] == ["application/json", None], [kind for kind, _ in scripts.texts]
    return json.loads(scripts.texts[0][1])


def check_lines(run, trace):
    """The steps that are lines of the trace are all its lines, in order."""
    lines = [s for s in run["steps"] if s.get("l")]
    assert len(lines) == len(trace), f"{len(lines)} of {len(trace)} lines"
    for step, line in zip(lines, trace):
        name = run["threads"][str(step["t"])]
        assert line.startswith(f"  {name}  "), (line, name)
        assert line[2 + len(name) :].lstrip(" ") == step["x"], (line, step)
    # Where the trace and the engine tell of the same step, it is one row.
    apart = [s for s in run["steps"] if s["k"] in ("begun", "over") and not s.get("l") and s.get("h") != "put aside"]
    assert not apart, apart[0]


def check_recorded(run, recorded):
    """What each thread tells is what a recorder keeps of it, step by step."""
    types = {m["i"]: m["y"] for m in run["messages"]}
    shown, kept = collections.defaultdict(list), collections.defaultdict(list)
    for s in run["steps"]:
        name = run["threads"][str(s["t"])]
        if s["k"] in TOLD_BY_ENGINE and (s["k"] != "sent" or "m" in s):
            typed = types[s["m"]] if s["k"] in ("sent", "begun") else ""
            undone = s["k"] == "sent" and bool(s.get("u"))
            shown[name if name.startswith("worker") else "outside"].append((s["k"], s.get("h", ""), typed, undone))
    for line in recorded:
        name, step, outcome, typed, undone = line.split("\t")
        kind = KINDS[int(step)]
        if kind in ("caused", "parked", "woke", "stole"):
            continue
        typed = typed if kind in ("sent", "begun") else ""
        kept[name if name.startswith("worker") else "outside"].append(
            (kind, OUTCOMES[int(outcome)], typed, kind == "sent" and undone == "1")
        )
    for name in kept | shown:
        assert without_silent(shown[name]) == without_silent(kept[name]), name


def without_silent(steps):
    """Put aside: the page says so at the step that begins the message."""
    return [(k, "" if k == "begun" else h, *rest) for k, h, *rest in steps if (k, h) != ("over", "put aside")]


class Places:
    """Where each message is, worked out from what the steps are: not from what the page says of it."""

    def __init__(self, state=None):
        self.state = dict(state or {})
        self.handlers = collections.defaultdict(list)

    def settle(self, staged, state):
        for message in staged:
            if self.state[message] == "staged":
                self.state[message] = state

    def take(self, s):
        kind, message, here = s["k"], s.get("m"), self.handlers[s["t"]]
        if kind == "sent" and message:
            inside = here and not s.get("l")
            self.state[message] = "staged" if inside else "waiting"
            if inside:
                here[-1][1].append(message)
        elif kind in ("begun", "goes on"):
            if kind == "begun":
                here.clear()
            here.append((message, []))
            self.state[message] = "handled"
        elif kind == "waits":
            self.state[message] = "waits for an answer"
            self.settle(here.pop()[1], "waiting")
        elif kind == "undone" and here:
            self.settle(here[-1][1], "undone")
            here[-1][1].clear()
        elif kind == "unserved" and message:
            self.state[message] = "dead letter"
        if s.get("h"):
            self.end(s["h"], message, here)

    def end(self, how, message, here):
        after = {"committed": "done", "failed": "failed", "dead letter": "dead letter"}
        self.state[message] = after.get(how, "waiting")
        while here:
            ended, staged = here.pop()
            if ended == message:
                return self.settle(staged, "waiting")
        return None


def states_of(run):
    """The states after each step, as the page has them."""
    names = run["states"]
    now = {m: names[state] for m, state, _ in run["begin"]}
    for s in run["steps"]:
        for message, state in s.get("d", []):
            now[message] = names[state]
        yield dict(now)


def check_states(run):
    places = Places()
    for s, said in zip(run["steps"], states_of(run)):
        places.take(s)
        assert places.state == said, (s, {m: (places.state.get(m), said.get(m)) for m in said | places.state
                                          if places.state.get(m) != said.get(m)})
    left = {state for state in said.values()} & {"staged", "waiting", "handled", "waits for an answer"}
    assert not left, f"the run is over, but messages are {left}"
    for s in run["steps"]:
        if s["k"] == "sent" and "m" in s:
            assert bool(s.get("u")) == (said[s["m"]] == "undone"), s


def check_messages(run):
    """Each message is sent once, before it is handled; and comes of one that was handled before."""
    sent, begun = {}, {}
    for n, s in enumerate(run["steps"]):
        if s["k"] == "sent" and "m" in s:
            assert s["m"] not in sent
            sent[s["m"]] = n
        elif s["k"] == "begun":
            begun.setdefault(s["m"], n)
    for m in run["messages"]:
        if m["i"] in sent and m["i"] in begun:
            assert sent[m["i"]] < begun[m["i"]], m
        if m["c"] and m["i"] in sent:
            assert begun[m["c"]] < sent[m["i"]], m


def check_cut(program, folder):
    """A long run is cut. What the page then says of its steps is what the whole page says of them."""
    whole = page(program, "long", 3, folder / "whole.html", 10**9)[0]
    cut = page(program, "long", 3, folder / "cut.html", 5000)[0]
    assert whole["before"] == whole["after"] == 0 and len(whole["steps"]) > 10000
    assert len(cut["steps"]) == 5000 and cut["before"] + cut["after"] + 5000 == len(whole["steps"])
    assert cut["steps"][cut["failure"]]["k"] == "failure"
    for n, (part, said) in enumerate(zip(states_of(cut), list(states_of(whole))[cut["before"] :])):
        assert all(said[m] == state for m, state in part.items()), f"step {n}"
        open_ones = {m for m, state in said.items() if state in ("staged", "waiting", "handled")}
        assert open_ones <= part.keys(), f"step {n}"


def page(program, kind, seed, file, most):
    subprocess.run([program, kind, str(seed), file, str(most)], check=True)
    text = file.read_bytes().decode()
    assert text.count("</script") == 2, "a text has ended a script"
    lines = [pathlib.Path(f"{file}.{end}").read_bytes().decode(errors="replace") for end in ("trace", "recorded")]
    return run_of(text), lines[0].removesuffix("\n").split("\n"), lines[1].removesuffix("\n").split("\n")


def main(program, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    seen = collections.Counter()
    for seed in SEEDS:
        run, trace, recorded = page(program, "failing", seed, folder / "run.html", 5000)
        assert run["what"] == ODD and run["steps"][run["failure"]]["x"] == ODD, run["what"]
        assert run["seed"] == seed and f".seed = {seed}" in run["code"], run["code"]
        check_lines(run, trace)
        check_recorded(run, recorded)
        check_states(run)
        check_messages(run)
        seen.update(s["k"] for s in run["steps"])
        seen.update(s.get("h", "") for s in run["steps"])
    assert not {*KINDS, "collided", "said", "failure", *OUTCOMES[1:6]} - {"caused", "parked", "woke", "stole", "restarted"} - seen.keys(), seen
    fine = page(program, "fine", 1, folder / "fine.html", 5000)[0]
    assert fine["what"] is None and fine["failure"] == -1
    check_cut(program, folder)
    print(f"{sum(seen.values())} steps, {len(SEEDS) + 2} passed")


main(sys.argv[1], sys.argv[2])
