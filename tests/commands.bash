# ./dev test. A part of dev.

# The linker of gold takes half the time of the usual one.
choose_linker() {
  unset CC CXX
  ! command -v ld.gold >/dev/null || export CC_LD=gold CXX_LD=gold
}

# For builds that are not optimized clang 16 takes less time than GCC, where it is.
choose_clang() {
  local cached=''
  command -v clang++-16 >/dev/null || return
  choose_linker
  # Meson finds ccache by itself, but not for a compiler that is named.
  ! command -v ccache >/dev/null || cached='ccache '
  export CC="${cached}clang-16" CXX="${cached}clang++-16"
}

# Sets `config`, the name of the build folder, `options`, those of Meson, and the environment of the compiler and of
# sanitizers. Tests are built by clang 16 where it is: it takes two thirds of GCC's time for them, and half with a
# sanitizer. What is built by GCC, and why, is in docs/testing.md.
choose_build() {  # choose_build [tsan | asan | model] [gcc] [all]
  config=test targets=()
  local arguments='' optimization=2 gcc='' all='' each
  # Several sources are compiled together, because what they include costs more than they do: half as long.
  options=(-Ddebug=false -Dunity=on -Dunity_size=10)
  options+=(-Dwerror=true -Dtests=enabled -Dbenchmarks=disabled)
  for each in "$@"; do
    case $each in
      # -g1: reports name files and lines. It takes the compiler a seventh longer; -g nearly twice as long.
      tsan) config=tsan options+=(-Db_sanitize=thread) optimization=1 arguments='-g1' ;;
      asan) config=asan options+=("-Db_sanitize=address,undefined") optimization=1 arguments='-g1' ;;
      # The library that is compiled for models, by GCC alone, with what is tested there.
      model)
        config=modelled options+=(-Dmodel=enabled) targets=(tests/modelled/modelled) gcc=1
        arguments='-g1' ;;  # a model names places in the source
      gcc) gcc=1 ;;
      all) all=1 ;;
    esac
  done
  # With a sanitizer they run by --all only: what they use is tested by the tests, which have it there.
  [[ $all || $config == test ]] && options+=(-Dexamples=enabled) || options+=(-Dexamples=disabled)
  [[ $all ]] && options+=(-Dsanitize_all=true)
  if [[ $gcc ]] || ! choose_clang; then
    choose_linker
    # Otherwise GCC collects garbage every 100 MB, which takes some seven per cent of its time.
    arguments+=' --param=ggc-min-heapsize=1000000 -pipe'
  fi
  options+=("-Doptimization=$optimization" "-Dcpp_args=${arguments# }")
  [[ " $* " != *' gcc '* ]] || config+=-gcc
  config+=${all:+-all}
  export TSAN_OPTIONS="suppressions=$PWD/tests/support/tsan.supp"
  export LSAN_OPTIONS="suppressions=$PWD/tests/support/lsan.supp print_suppressions=0"
}

# What options.py has read is done by test_chosen, in a shell that options.py becomes.
run_test() {
  need_python
  python3 -B tests/options.py "$@"
}

# LONG: for how many seconds all tests run, or ''. HOW: the words of choose_build.
test_chosen() {  # test_chosen LONG FILTER REPEAT BUSY HOW [SUITE]...
  local long=$1 filter=$2 repeat=$3 busy=$4 config options targets how
  local packages=("${packages_build[@]}" "${packages_test[@]}" "${packages_clang[@]}")
  packages+=("${packages_demo[@]}" "${packages_examples[@]}")
  read -ra how <<<"$5"
  shift 5
  if [[ $long ]]; then test_long "$long" "$filter"; return; fi
  [[ " $* " == *' consumer '* ]] && packages+=("${packages_consumer[@]}")
  [[ $* == modelled ]] && how+=(model)
  need "${packages[@]}"
  choose_build "${how[@]}"
  builds_nothing "$@" && targets=(none)
  build "$config" "${options[@]}" || { echo "0 passed, 1 failed"; return 1; }
  if [[ $repeat ]]; then
    python3 -B tests/repeat.py "build/$config" --repeat "$repeat" --busy "$busy" --filter "$filter" "${@/#/--suite=}"
    return
  fi
  test_once "$filter" "$@"
}

# Whether these suites need nothing of the build, or build it by themselves.
builds_nothing() {  # builds_nothing SUITE...
  (($#)) || return
  local each
  for each in "$@"; do [[ $each == consumer || $each == headers || $each == compile_fail ]] || return; done
}

test_once() {  # test_once FILTER SUITE...: what has been built in build/$config
  local filter=$1 run=(meson test -C "build/$config")
  shift
  (($#)) && run+=("${@/#/--suite=}")
  # A suite may need what is not built otherwise.
  [[ $# == 0 || $config == modelled || ${targets[*]} == none ]] && run+=(--no-rebuild)
  [[ $config == test ]] || run+=(--no-suite tidy)  # the same in every build
  [[ $config == [ta]san* ]] && run+=(--timeout-multiplier 3)
  [[ $config == [ta]san* ]] && run+=(--no-suite compile_fail)  # the same in every build by one compiler
  if [[ $filter ]]; then
    [[ $filter == \[* ]] || filter="*${filter//,/\\,}*"
    run+=(--suite unit --suite stress --suite model --suite schedule --suite simulation --suite patterns --suite data --suite store)
    run+=(--test-args "'$filter'")
  fi
  local status=0
  rm -f "build/$config/meson-logs/testlog.json"
  TACT_TAIL=0 step run "build/$config/test.log" "${run[@]}" || status=1
  python3 -B tests/count.py "build/$config/meson-logs/testlog.json" || status=1
  return $status
}

# Everything that the gate leaves out: all tests in all builds, once, then random ones with fresh seeds to the end.
test_long() {  # test_long FOR_SECONDS FILTER
  local filter=$2 hours config options targets builds=() status=0 ends=$((SECONDS + $1)) each
  need "${packages_build[@]}" "${packages_test[@]}" "${packages_demo[@]}" "${packages_examples[@]}" \
    "${packages_clang[@]}" "${packages_consumer[@]}"
  for each in '' gcc model 'tsan all' 'asan all' 'tsan all gcc' 'asan all gcc'; do
    # shellcheck disable=SC2086
    choose_build $each
    build "$config" "${options[@]}" || { status=1; continue; }
    builds+=("build/$config")
    TACT_EXPLORE_MS=${TACT_EXPLORE_MS:-20000} TACT_EFFORT=${TACT_EFFORT:-300} test_once "$filter" || status=1
  done
  for each in consumer headers; do
    config=test-gcc
    [[ $filter ]] || test_once '' "$each" || status=1
  done
  hours=$(python3 -c "print(max(0.0, ($ends - $SECONDS) / 3600))")
  python3 -B tests/long.py "${builds[@]}" --hours "$hours" --filter "$filter" || status=1
  return $status
}

# What libFuzzer has found worth keeping stays in build/fuzz, and so does an input that fails. The gate runs the same
# programs, with a number of inputs instead of a time.
run_fuzz() {  # run_fuzz [SECONDS]
  local seconds=${1:-60} config options targets name status=0
  need "${packages_build[@]}" "${packages_test[@]}" "${packages_clang[@]}"
  choose_build asan
  targets=(tests/fuzz/{codec,codec_key,page,trace}_fuzz)
  build "$config" "${options[@]}" || return 1
  for name in codec codec_key page trace; do
    mkdir -p "build/fuzz/$name"
    step "$name" "build/fuzz/$name.log" "build/$config/tests/fuzz/${name}_fuzz" -max_total_time="$seconds" -max_len=1024 -entropic=0 \
      -artifact_prefix=build/fuzz/ "build/fuzz/$name" "tests/fuzz/corpus/$name" || status=1
  done
  return $status
}
