"""Looks at what the shared library exports: its API and nothing else. exported.py LIBRARY ROOT SERIES"""

import pathlib
import re
import subprocess
import sys

# Twenty-two of them are for tact-store, for tact-inspect, and for what an engine says of itself: engine.describe().
EXPORTED_MAX = 279
TLS_BYTES_MAX = 200  # so that eight plug-ins may have a copy each: docs/plugins.md


def main():
    library, root, series = sys.argv[1:]
    headers = "\n".join(p.read_text() for p in pathlib.Path(root, "include").rglob("*.hpp"))
    declared = set(re.findall(r"\w+", headers))
    dynamic = subprocess.run(["nm", "-DC", "--defined-only", library], check=True, capture_output=True, text=True)
    names = [line.split(" ", 2)[2] for line in dynamic.stdout.splitlines()]
    wrong = []
    for name in names:
        path = re.sub(r"^(typeinfo|typeinfo name|vtable|guard variable) for ", "", name)
        path = re.sub(r"\[abi:\w+\]", "", path).split("(")[0]
        if not path.startswith("tact::") or not set(re.findall(r"\w+", path)) <= declared:
            wrong.append(f"exported, but not declared in include/: {name}")
    if not 0 < len(names) <= EXPORTED_MAX:
        wrong.append(f"{len(names)} symbols are exported; at most {EXPORTED_MAX} are expected")
    dynamic = subprocess.run(["readelf", "-d", library], check=True, capture_output=True, text=True)
    if f"[libtact.so.{series}]" not in dynamic.stdout:
        wrong.append(f"the library's SONAME is not libtact.so.{series}")
    if "NODELETE" not in dynamic.stdout:
        wrong.append("the library is not linked with -z nodelete")
    segments = subprocess.run(["readelf", "-lW", library], check=True, capture_output=True, text=True)
    tls = [int(line.split()[5], 16) for line in segments.stdout.splitlines() if line.split()[:1] == ["TLS"]]
    if sum(tls) > TLS_BYTES_MAX:
        wrong.append(f"the library has {sum(tls)} bytes of thread-local storage; at most {TLS_BYTES_MAX} are expected")
    print("\n".join(wrong) or f"{len(names)} symbols are exported, all of the API")
    return 1 if wrong else 0


sys.exit(main())
