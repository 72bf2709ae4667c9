"""The rule for the pictures that a script draws."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "pictures"))

from draw import DRAWINGS  # noqa: E402


def drawings(tree):
    """Each picture that docs/pictures/draw.py draws is there, as it draws it."""
    for name, draw in DRAWINGS.items():
        path = f"docs/pictures/{name}"
        if tree.get(path) != draw():
            yield path, 1, "is not what docs/pictures/draw.py draws: run it"
