"""What a plain comment becomes in the reference: paragraphs, lists and code, and nothing that doxygen would misread."""

import re

# What doxygen would take for a command, a link or a tag.
MEANT = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", **{c: "\\" + c for c in "\\@#%$"}}


def escape(text):
    return "".join(MEANT.get(c, c) for c in text).replace("--", "\\--")


def inline(text):
    """One paragraph; what stands in backticks is code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return escape(text)
    return "".join(f"<code>{escape(p)}</code>" if n % 2 else escape(p) for n, p in enumerate(parts))


def looks_like_code(line):
    line = re.sub(r"\s+//.*", "", line)
    return bool(re.search(r"[;{}]$", line) and re.search(r"[({<=]|^\W+$", line))


def count_code(lines):
    """How many lines at the beginning of a comment are an example that is not indented."""
    n = 0
    while n < len(lines) and (looks_like_code(lines[n]) or (n > 0 and lines[n].startswith(" "))):
        n += 1
    if n == 0 and len(lines) > 1 and lines[1] == "" and "(" in lines[0] and lines[0].endswith(")"):
        n = 1
    return n


def blocks(lines):
    """The parts of a comment: ("code", lines), ("list", items) or ("text", paragraph)."""
    n = count_code(lines)
    found = [("code", lines[:n])] if n else []
    fresh = True  # a paragraph or list ends at an empty line
    for line in lines[n:]:
        kind = found[-1][0] if found else ""
        if line == "":
            fresh = True
            if kind == "code":
                found[-1][1].append("")
        elif line.startswith("- "):
            if kind != "list" or fresh:
                found.append(("list", []))
            found[-1][1].append(line[2:])
            fresh = False
        elif line.startswith("  ") and kind == "list" and not fresh:
            found[-1][1][-1] += " " + line.strip()
        elif line.startswith("  "):
            if kind != "code":
                found.append(("code", []))
            found[-1][1].append(line[2:])
            fresh = False
        elif kind == "text" and not fresh:
            found[-1] = ("text", found[-1][1] + " " + line.strip())
        else:
            found.append(("text", line.strip()))
            fresh = False
    return found


def split_sentence(text):
    """The first sentence, and the rest. A full stop in backticks or in parentheses ends none."""
    masked = re.sub(r"`[^`]*`|\([^()]*\)", lambda m: "x" * len(m[0]), text)
    m = re.search(r"(?<=\s)\S*[.?!](?=\s)", masked)  # a single word is no sentence
    return (text[: m.end()], text[m.end() :].strip()) if m else (text, "")


def describe(lines):
    """The lines of a documentation comment: first one sentence that says what it is, then everything else."""
    parts = blocks(lines)
    at = next((n for n, (kind, _) in enumerate(parts) if kind == "text"), None)
    out = []
    if at is not None:
        brief, rest = split_sentence(parts[at][1])
        out += ["@brief " + inline(brief), ""]
        parts[at] = ("text", rest)
    for kind, content in parts:
        if kind == "text" and content:
            out += [inline(content), ""]
        elif kind == "list":
            out += ["<ul>", *(f"<li>{inline(item)}</li>" for item in content), "</ul>", ""]
        elif kind == "code":
            while content and content[-1] == "":
                content.pop()
            out += ["@code", *content, "@endcode", ""]
    return out[:-1] if out and out[-1] == "" else out


def sentence(text):
    """What stands behind a member, as a sentence."""
    text = re.sub(r"\s+", " ", text).strip()
    first = re.match(r"[\w:]*", text)[0]
    if not re.search(r"::|_", first):
        text = text[:1].upper() + text[1:]
    return text if re.search(r"[.?!]$", text) else text + "."
