"""The picture of docs/store/README.md: who waits for what while a store commits."""

from svg import FAINT, INK, picture, text

WORKS, WRITES, FLUSHES = "#d7e8f3", "#fdf0d5", "#e9c0b4"
ROWS = ("durable actor Ada", "durable actor Alan", "thread outside: put", "writer", "disk")
LEFT, WIDTH, TOP, ROW = 170, 700, 56, 46


def row_of(name):
    return TOP + ROW * ROWS.index(name)


def step(row, x, width, words, fill):
    y = row_of(row)
    return [
        f'<rect x="{x}" y="{y}" width="{width}" height="26" rx="3" fill="{fill}" stroke="{INK}"/>',
        text(x + width / 2, y + 17, words, 11, "middle"),
    ]


def wait(row, x, end):
    y = row_of(row) + 13
    return [f'<path d="M{x} {y}L{end} {y}" stroke="{INK}" stroke-dasharray="2 4" fill="none"/>']


def falls(row, x, to):
    """What is sent to the writer."""
    return [f'<path d="M{x} {row_of(row) + 26}L{to} {row_of("writer")}" stroke="{INK}" fill="none" marker-end="url(#to)"/>']


def rises(x, to, row):
    """An answer that leaves."""
    return [
        f'<path d="M{x} {row_of("writer")}L{to} {row_of(row) + 27}" stroke="#00875a" stroke-width="1.6" fill="none" marker-end="url(#up)"/>'
    ]


def store_commit():
    parts = ["<defs>"]
    for name, colour in (("to", INK), ("up", "#00875a")):
        parts.append(
            f'<marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
            f'<path d="M0 0L8 4L0 8z" fill="{colour}"/></marker>'
        )
    parts += ["</defs>", text(20, 26, "Who waits for what: two commits of a store", 15)]
    for name in ROWS:
        y = row_of(name) + 13
        parts.append(f'<path d="M{LEFT} {y}L{LEFT + WIDTH} {y}" stroke="{FAINT}" fill="none"/>')
        parts.append(text(20, y + 4, name, 12))
    # The first group: one message of Ada, one of Alan.
    parts += step("durable actor Ada", 180, 34, "1", WORKS) + falls("durable actor Ada", 214, 232)
    parts += step("durable actor Alan", 190, 34, "2", WORKS) + falls("durable actor Alan", 224, 244)
    parts += step("writer", 228, 40, "1 2", WRITES) + step("disk", 268, 220, "commit 1: written, flushed", FLUSHES)
    parts += wait("writer", 268, 488)
    # What comes meanwhile is the second group.
    for x, n in ((290, "3"), (330, "4"), (370, "5")):
        parts += step("durable actor Ada", x, 34, n, WORKS)
    parts += step("durable actor Alan", 346, 34, "6", WORKS)
    parts += step("thread outside: put", 300, 34, "7", WORKS) + wait("thread outside: put", 334, 766)
    parts += falls("durable actor Ada", 404, 484) + falls("durable actor Alan", 380, 494) + falls("thread outside: put", 334, 474)
    parts += step("writer", 488, 66, "3 4 5 6 7", WRITES) + step("disk", 554, 200, "commit 2: written, flushed", FLUSHES)
    parts += wait("writer", 554, 754)
    parts += rises(494, 500, "durable actor Ada") + rises(504, 520, "durable actor Alan")
    parts += rises(756, 762, "durable actor Ada") + rises(762, 782, "durable actor Alan") + rises(768, 776, "thread outside: put")
    parts += step("thread outside: put", 768, 60, "goes on", WORKS)
    parts.append(text(524, TOP - 8, "what 1 and 2 answered", 11, "middle"))
    parts.append(text(524, TOP + 5, "and sent leaves", 11, "middle"))
    parts.append(text(790, TOP - 8, "what 3 to 6 answered", 11, "middle"))
    parts.append(text(790, TOP + 5, "and sent leaves; 7 returns", 11, "middle"))
    parts.append(f'<path d="M{LEFT} 296L{LEFT + WIDTH} 296" stroke="{INK}" fill="none" marker-end="url(#to)"/>')
    parts.append(text(LEFT + WIDTH - 4, 290, "time", 12, "end"))
    parts.append(text(20, 322, "No handler waits for the disk: a durable actor handles its next message with the state that comes of the last one. Only what it", 12))
    parts.append(text(20, 338, "answers and sends is held back. All that comes during a commit is in the next one, so the slower the disk is, the larger its commits are.", 12))
    return picture(900, 354, parts)
