#!/usr/bin/env python3
"""Draws pictures of docs, such as those of architecture.md: draw.py writes them beside itself. tests/tidy compares them."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "benchmarks"))
sys.path.insert(0, HERE)

from layers import layers  # noqa: E402
from store_commit import store_commit  # noqa: E402
from svg import FAINT, INK, picture, text  # noqa: E402

WHITE, WORD, HELD, THREAD = "white", "#fdf0d5", "#d7e8f3", "#eceff3"
# The messages of different senders; told apart by colour-blind people too.
MESSAGES = ("#2f6f9f", "#e69f00", "#00875a", "#6b4c3b")
ARROW = (
    '<defs><marker id="end" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    f'<path d="M0 0L8 4L0 8z" fill="{INK}"/></marker></defs>'
)


def box(x, y, width, height, words="", fill=WHITE, size=13):
    """A frame with lines of text in its middle."""
    lines = words.split("\n") if words else []
    first = y + height / 2 + 5 - (len(lines) - 1) * 8
    frame = f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="4" fill="{fill}" stroke="{INK}"/>'
    return [frame, *(text(x + width / 2, first + 16 * i, line, size, "middle") for i, line in enumerate(lines))]


def frame(x, y, width, height, words):
    """A wide frame with its name above its upper edge."""
    shape = f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="none" stroke="{INK}" stroke-dasharray="5 4"/>'
    return [shape, text(x + 8, y - 6, words)]


def arrow(x1, y1, x2, y2, words="", above=6, size=12):
    line = f'<path d="M{x1} {y1}L{x2} {y2}" stroke="{INK}" fill="none" marker-end="url(#end)"/>'
    return [line, *([text((x1 + x2) / 2, (y1 + y2) / 2 - above, words, size, "middle")] if words else [])]


def chunk(x, y, messages, room=4):
    """A chunk with messages, each a colour; a chunk has room for more than are drawn."""
    parts = [f'<rect x="{x}" y="{y}" width="{room * 14 + 4}" height="18" rx="2" fill="{FAINT}" stroke="{INK}"/>']
    for i, colour in enumerate(messages):
        parts.append(f'<rect x="{x + 3 + 14 * i}" y="{y + 3}" width="12" height="12" fill="{MESSAGES[colour]}"/>')
    return parts


def communal_mailbox():
    parts = [ARROW, text(20, 26, "One mailbox for all actors: shards, and an office for each worker", 15), '<g transform="translate(0 22)">']
    for w in range(2):
        y = 60 + 150 * w
        parts += box(20, y, 110, 60, f"worker {w}\noutboxes", THREAD)
        parts += box(300, y, 150, 40, f"office {w}: word, queue", WORD)
        parts += box(690, y, 130, 60, f"worker {w}\none lane", HELD)
        for s in range(2):
            parts += box(480, y - 14 + 46 * s, 150, 36, f"shard {2 * s + w}: word, lane", WORD)
            parts += arrow(630, y + 4 + 46 * s, 690, y + 20 + 20 * s)
        parts += arrow(450, y + 14, 480, y + 6)
        parts += arrow(450, y + 26, 480, y + 48)
    parts += arrow(130, 80, 300, 80, "a stream of chunks")
    parts += arrow(130, 104, 300, 222)
    parts += arrow(130, 226, 300, 92)
    parts += arrow(130, 240, 300, 240)
    parts += frame(280, 40, 370, 250, "communal mailbox")
    parts += box(20, 330, 110, 44, "thread outside", THREAD)
    parts += box(300, 332, 150, 40, "inbox of a shard", WORD)
    parts += arrow(130, 352, 300, 352, "mail")
    parts += arrow(450, 352, 540, 278)
    parts.append(text(20, 408, "A worker writes to one outbox for each other worker, whatever the number of shards. What it sends to its own shards", 12))
    parts += [text(20, 424, "does not leave its lane.", 12), "</g>"]
    return picture(840, 460, parts)


def gulp():
    parts = [ARROW, text(20, 26, "A gulp: a worker takes all that has come, by one exchange of one word", 15)]
    for top, word, title in ((60, "chunk 3", "before"), (200, "held, empty", "after")):
        parts.append(text(20, top + 24, title, 14))
        parts += box(100, top, 110, 40, f"word:\n{word}", WORD, 12)
    for i, messages in enumerate(((2, 2), (0, 0, 1), (0, 1, 1, 0))):
        parts += chunk(260 + 120 * i, 71, messages)
        parts.append(text(290 + 120 * i, 108, f"chunk {3 - i}", 12, "middle"))
        parts += arrow(210 if i == 0 else 322 + 120 * (i - 1), 80, 260 + 120 * i, 80)
    parts.append(text(100, 132, "Each chunk leads to the one before it: a sender pushes by one compare-and-swap.", 12))
    parts += frame(250, 190, 400, 62, "lane of the worker: in the order of coming, run from the left")
    for i, messages in enumerate(((0, 1, 1, 0), (0, 0, 1), (2, 2))):
        parts += chunk(266 + 120 * i, 212, messages)
        if i != 0:
            parts += arrow(326 + 120 * (i - 1), 221, 266 + 120 * i, 221)
    parts.append(text(20, 290, "No message is copied. While the word says held, other workers push, and nobody else takes.", 12))
    return picture(700, 310, parts)


def stream():
    parts = [ARROW, text(20, 26, "A stream: a sender adds to the chunk that it has published last", 15)]
    for top, title, shown, word in (
        (60, "1. published", (0, 0), "2 slots"),
        (150, "2. added to, while the office is behind", (0, 0, 0, 0), "4 slots"),
        (240, "3. gulped: the word is closed, the next ones go into another chunk", (0, 0, 0, 0), "closed"),
    ):
        parts.append(text(20, top - 8, title))
        parts += box(20, top, 110, 40, "worker 0", THREAD)
        parts += box(190, top, 120, 40, f"open chunk:\n{word}", WORD, 12)
        parts += chunk(360, top + 11, shown)
        parts += box(520, top, 130, 40, "office 1" if "3" not in title else "lane of worker 1", HELD)
        parts += arrow(130, top + 20, 190, top + 20)
        parts += arrow(310, top + 20, 360, top + 20)
        parts += arrow(420, top + 20, 520, top + 20)
    parts.append(text(20, 312, "So chunks hold the more messages, the more the other worker is behind, and neither waits for the other.", 12))
    return picture(700, 330, parts)


def swap():
    parts = [ARROW, text(20, 26, "A queue swap: a thief exchanges an idle shard for one that waits", 15)]
    for left, title, slots in ((20, "before", (("shard 5", 3), ("shard 2", 0))), (400, "after", (("shard 2", 0), ("shard 5", 3)))):
        parts.append(text(left, 56, title, 14))
        for w, (shard, waits) in enumerate(slots):
            y = 76 + 110 * w
            parts += box(left, y, 110, 60, f"worker {w}\n{'busy' if w == 0 else 'thief'}", HELD if w == 0 else THREAD)
            parts += box(left + 140, y + 10, 50, 40, "slot", WORD)
            parts += box(left + 220, y, 110, 60, f"{shard}\n{'waits' if waits else 'empty'}")
            parts += arrow(left + 190, y + 30, left + 220, y + 30)
            if waits:
                parts += chunk(left + 245, y + 64, (0, 1, 2))
    parts.append(text(20, 300, "Two compare-and-swaps on slots: the thief takes its own shard out, puts it in the victim's slot, and the victim's shard", 12))
    parts.append(text(20, 316, "into its own. No message moves, no worker waits, and if one of the two fails nothing has happened.", 12))
    return picture(760, 334, parts)


def message_way():
    steps = (
        ("staged", "in the handler's\nown code"),
        ("committed", "the handler\nreturns"),
        ("published", "one compare-\nand-swap for\na chunk"),
        ("gulped", "by the worker\nthat looks at\nthe office"),
        ("dealt out", "into the lane,\nor to a shard"),
        ("dispatched", "cell, closure,\nentry, call"),
        ("done", "counted as\ncommitted, failed\nor dead"),
    )
    parts = [ARROW, text(20, 26, "The way of a message to an actor of another worker", 15)]
    for i, (name, words) in enumerate(steps):
        x = 20 + 122 * i
        parts += box(x, 56, 100, 36, name, HELD if i < 3 else WORD if i < 5 else THREAD)
        parts += [text(x + 50, 114 + 15 * n, line, 11, "middle") for n, line in enumerate(words.split("\n"))]
        if i != 0:
            parts += arrow(x - 22, 74, x, 74)
    parts.append(text(20, 178, "The first three steps are the sender's, the others the receiver's. To an actor of the same worker it goes from the first", 12))
    parts.append(text(20, 194, "step to the sixth: it is staged behind the lane that is run. A handler that throws takes back what it has staged.", 12))
    return picture(890, 210, parts)


DRAWINGS = {
    "layers.svg": layers,
    "communal-mailbox.svg": communal_mailbox,
    "gulp.svg": gulp,
    "stream.svg": stream,
    "queue-swap.svg": swap,
    "message-way.svg": message_way,
    "store-commit.svg": store_commit,
}


def main():
    for name, draw in DRAWINGS.items():
        with open(os.path.join(HERE, name), "w", encoding="utf-8") as file:
            file.write(draw())


if __name__ == "__main__":
    main()
