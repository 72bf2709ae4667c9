"""Pieces of the pictures of the benchmarks: text, logarithmic axes, bars."""

import math
from xml.sax.saxutils import escape

INK, FAINT = "#1f2933", "#d9dee5"
# Told apart by colour-blind people too, and by their lightness in print.
COLOURS = {"floor": "#b8c0cc", "tact": "#2f6f9f", "caf": "#e69f00", "threads": "#6b4c3b", "plain": "#00875a"}
LABELS = {"floor": "floor", "tact": "tact", "caf": "CAF", "threads": "threads and locks", "plain": "a lock for each queue"}
# Numbers of workers: the more, the darker.
for i, threads in enumerate(("1", "2", "4", "8", "16", "32", "64")):
    COLOURS[threads] = f"hsl(205, 55%, {80 - 9 * i}%)"
    LABELS[threads] = f"{threads} worker{'s' if threads > '1' else ''}"


def text(x, y, words, size=13, anchor="start", colour=INK):
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}">{escape(words)}</text>'


def bar(x, y, width, height, colour, title=""):
    """`title` is shown where the pointer rests on it."""
    shape = f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 1):.1f}" height="{height}" fill="{colour}"'
    return f"{shape}><title>{escape(title)}</title></rect>" if title else f"{shape}/>"


def whisker(left, right, y, height=6):
    """A line between two values, with an end at each."""
    across = f"M{left:.1f} {y:.1f}H{right:.1f}"
    at_ends = "".join(f"M{x:.1f} {y - height / 2:.1f}V{y + height / 2:.1f}" for x in (left, right))
    return f'<path d="{across}{at_ends}" fill="none" stroke="{INK}" stroke-width="1"/>'


def polyline(points, colour, width, title):
    where = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{where}" fill="none" stroke="{colour}" stroke-width="{width}"><title>{escape(title)}</title></polyline>'


def figure(value):
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def picture(width, height, parts):
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="sans-serif">'
    return "\n".join([head, '<rect width="100%" height="100%" fill="white"/>', *parts, "</svg>", ""])


def legend(runtimes, x, y, step=110):
    parts = []
    for i, runtime in enumerate(runtimes):
        parts.append(bar(x + i * step, y - 11, 12, 12, COLOURS[runtime]))
        parts.append(text(x + i * step + 18, y, LABELS[runtime]))
    return parts


class LogAxis:
    """From `low` to the power of ten above `high`; x() is where a value lies."""

    def __init__(self, low, high, left, width):
        self.low, self.left, self.width = low, left, width
        self.high = 10 ** math.ceil(math.log10(max(high, low * 10)))

    def x(self, value):
        return self.left + self.width * math.log(max(value, self.low) / self.low) / math.log(self.high / self.low)

    def grid(self, top, bottom):
        parts, tick = [], self.low
        while tick <= self.high * 1.001:
            parts.append(f'<line x1="{self.x(tick):.0f}" x2="{self.x(tick):.0f}" y1="{top}" y2="{bottom}" stroke="{FAINT}"/>')
            parts.append(text(self.x(tick), bottom + 16, f"{tick:g}", 12, "middle"))
            tick *= 10
        return parts
