#!/usr/bin/env python3
"""Makes C++ of the page: embed.py PAGE OUTPUT. The policy of the page names its script and its style by their hashes."""

import base64
import hashlib
import re
import sys

PART = 12_000  # characters; compilers take string literals of 65,536 bytes


def hash_of(page, element):
    found = re.findall(rf"<{element}>(.*?)</{element}>", page, re.DOTALL)
    if len(found) != 1:
        sys.exit(f"the page must have one <{element}>, and has {len(found)}")
    return "sha256-" + base64.b64encode(hashlib.sha256(found[0].encode()).digest()).decode()


def literal(text):
    escaped = "".join(c if " " <= c <= "~" and c not in '"\\?' else "".join(f"\\{b:03o}" for b in c.encode()) for c in text)
    return f'"{escaped}"'


def main():
    page_path, output = sys.argv[1:]
    with open(page_path, encoding="utf-8", newline="") as file:
        page = file.read()
    parts = [page[at : at + PART] for at in range(0, len(page), PART)]
    lines = [
        "// Made by embed.py.",
        "#include <cstddef>",
        "#include <string_view>",
        "namespace tact::inspect {",
        "extern const std::string_view live_page_parts[];",
        "extern const std::size_t live_page_parts_count;",
        "extern const char live_page_script_hash[];",
        "extern const char live_page_style_hash[];",
        "const std::string_view live_page_parts[] = {",
        *(f"    {literal(part)}," for part in parts),
        "};",
        f"const std::size_t live_page_parts_count = {len(parts)};",
        f"const char live_page_script_hash[] = {literal(hash_of(page, 'script'))};",
        f"const char live_page_style_hash[] = {literal(hash_of(page, 'style'))};",
        "}",
    ]
    with open(output, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
