# ./dev bench and ./dev model: bench.py and model parse their options, and then have built what they need. A part of dev.

run_bench() {
  need_python
  python3 -B benchmarks/bench.py "$@"
}

run_model() {
  need_python
  benchmarks/model "$@"
}

# Builds all that is measured in build/AT.
prepare_bench() {  # prepare_bench bench|bench_brief [windows] [peers]
  local at=$1 packages=("${packages_build[@]}" "${packages_bench[@]}")
  local options=(--buildtype=release -Dbenchmarks=enabled -Dtests=disabled -Dexamples=disabled)
  [[ " $* " != *' windows '* ]] || packages+=("${packages_windows[@]}")
  [[ " $* " != *' peers '* ]] || packages+=("${packages_peers[@]}")
  need "${packages[@]}"
  # Tiny runs need no speed, and the compiler none of the time that speed takes.
  [[ $at == bench ]] ||
    options+=(-Doptimization=1 -Dunity=on -Dunity_size=10 -Db_pch=false -Dbenchmarks_precompiled=true)
  build "$at" "${options[@]}"
}

# Configures build/model. Its programs are built when they are run: most people want one.
prepare_model() {
  local at=build/model
  need "${packages_build[@]}" "${packages_bench[@]}"
  [[ -f $at/build.ninja ]] ||
    step configure "$at/configure.log" meson setup "$at" --buildtype=release -Dmodel=enabled -Dbenchmarks=enabled \
      -Dtests=disabled -Dexamples=disabled
}
