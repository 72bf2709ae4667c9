"""The folders of src, drawn from what their files include: what is drawn higher uses what is drawn lower."""

import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.join(HERE, "..", "..", "src")
sys.path.insert(0, os.path.join(HERE, "..", "..", "benchmarks"))

from svg import INK, picture, text  # noqa: E402

# Each is drawn as one box, whatever folders it has: it is no part of an engine.
WHOLE = ("tools/explorer", "tools/modelled", "tools/simulated")
WIDTH, HEIGHT, GAP_X, GAP_Y, MARGIN = 132, 34, 14, 46, 20


def folder_of(path):
    """The folder that a path below src lies in; files of a module that has folders lie above these."""
    whole = next((w for w in WHOLE if path.startswith(w + "/")), None)
    return whole or os.path.dirname(path)


def uses():
    """Folder -> the folders whose headers its files include."""
    files = [os.path.relpath(os.path.join(at, name), SOURCES) for at, _, names in os.walk(SOURCES) for name in names]
    files = [f.replace(os.sep, "/") for f in files if f.endswith((".hpp", ".cpp"))]
    known, graph = set(files), {}
    for path in files:
        with open(os.path.join(SOURCES, path), encoding="utf-8") as file:
            named = re.findall(r'^\s*#\s*include\s*"([^"]+)"', file.read(), re.MULTILINE)
        graph.setdefault(folder_of(path), set()).update(folder_of(n) for n in named if n in known)
    return {folder: used - {folder} for folder, used in graph.items() if folder != "precompiled"}


def reach(graph, start):
    """All that `start` uses, directly or not."""
    found, left = set(), [*graph[start]]
    while left:
        folder = left.pop()
        if folder not in found:
            found.add(folder)
            left += graph[folder]
    return found


def circles(graph):
    """The folders that use themselves by way of others: their arrows would run up."""
    return sorted(folder for folder in graph if folder in reach(graph, folder))


def direct(graph):
    """Of the arrows those that no way over another folder says already."""
    return {f: {u for u in used if not any(u in reach(graph, v) for v in used - {u})} for f, used in graph.items()}


def rows(graph):
    """The folders from the lowest row to the highest: each lies above all that it uses."""
    height = {}

    def of(folder):
        if folder not in height:
            height[folder] = max((of(u) + 1 for u in graph[folder]), default=0)
        return height[folder]

    for folder in graph:
        of(folder)
    return [sorted(f for f in graph if height[f] == h) for h in range(max(height.values()) + 1)]


def ordered(levels, arrows):
    """Each row in the order of the middle of what its folders use, so that few arrows cross."""
    place = {}
    for level in levels:
        at = {f: sum(place[u] for u in arrows[f]) / len(arrows[f]) if arrows[f] else i for i, f in enumerate(level)}
        level.sort(key=lambda f: (at[f], f))
        place.update({f: (i + 1) / (len(level) + 1) for i, f in enumerate(level)})
    return levels


def layers():
    graph = uses()
    wrong = circles(graph)
    if wrong:
        raise ValueError(f"folders of src use each other in a circle: {' '.join(wrong)}")
    arrows = direct(graph)
    levels = ordered(rows(graph), arrows)
    widest = max(map(len, levels))
    width = 2 * MARGIN + widest * WIDTH + (widest - 1) * GAP_X
    height = 60 + len(levels) * (HEIGHT + GAP_Y)
    place = {}
    for n, level in enumerate(levels):
        row = len(level) * WIDTH + (len(level) - 1) * GAP_X
        for i, folder in enumerate(level):
            place[folder] = ((width - row) / 2 + i * (WIDTH + GAP_X), height - 20 - HEIGHT - n * (HEIGHT + GAP_Y))
    parts = [text(MARGIN, 26, "The folders of src: each uses those below it to which a line leads, and what these use", 15)]
    for folder in sorted(graph):
        x, y = place[folder]
        for used in sorted(arrows[folder]):
            to_x, to_y = place[used]
            parts.append(
                f'<path d="M{x + WIDTH / 2:.0f} {y + HEIGHT:.0f}L{to_x + WIDTH / 2:.0f} {to_y:.0f}" stroke="{INK}" '
                'stroke-opacity="0.55" fill="none"/>'
            )
    for folder, (x, y) in sorted(place.items()):
        parts.append(
            f'<rect x="{x:.0f}" y="{y:.0f}" width="{WIDTH}" height="{HEIGHT}" rx="4" fill="white" stroke="{INK}"/>'
        )
        parts.append(text(x + WIDTH / 2, y + HEIGHT / 2 + 5, folder, 13, "middle"))
    return picture(width, height, parts)
