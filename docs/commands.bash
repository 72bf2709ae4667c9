# ./dev docs. A part of dev.

run_docs() {
  need "${packages_docs[@]}"
  step documents build/docs.log python3 -B tests/tidy/tidy.py --only links --only named_in_links \
    --only headings --only changelog --only pairs
  step reference build/reference.log build_reference
  echo "API reference: build/reference/html/index.html"
  echo "Reading order (docs/README.md):"
  sed -n 's/^\([0-9][0-9]*\.\) *\[\([^]]*\)\](\([^)]*\))\(.*\)$/  \1 \2 (\3)\4/p' docs/README.md
}

# The public headers as doxygen is to read them, the pages, and a look whether all that the headers say is there.
build_reference() {
  local at=build/reference
  rm -rf "$at" || return
  python3 -B docs/reference/filter.py include "$at/headers" || return
  doxygen docs/reference/Doxyfile || return
  python3 -B docs/reference/check.py "$at/xml"
}
