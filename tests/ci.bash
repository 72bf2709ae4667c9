# ./dev ci: what a merge must pass. A part of dev.

# Everything, one after the other. Then what failed once more, where it is seen first; the last line is the sum.
run_ci() {
  local passed=0 failed=0 last again=build/ci_failed.log
  mkdir -p build
  : >"$again"
  check() {  # check COMMAND...: adds what its last line says, or one for its exit status
    local status=0 log=build/ci.log before=$failed
    echo "== ./dev $*"
    ./dev "$@" 2>&1 | tee "$log" || status=$?
    last=$(tail -n 1 "$log")
    if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
      passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
      ((status == 0 || BASH_REMATCH[2] > 0)) || failed=$((failed + 1))
    elif ((status == 0)); then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
    fi
    ((failed == before)) || { echo "== failed in ./dev $*"; grep -A 30 FAILED "$log" || tail -n 30 "$log"; } >>"$again"
  }
  need qt6-base-dev  # tact/gui/qt.hpp is tested where Qt is installed
  # Pages are tried in a browser where there is one: on a bare machine its packages take six minutes to install.
  if command -v chromium >/dev/null && command -v node >/dev/null && command -v npm >/dev/null; then export TACT_WEB=required; fi
  check fmt --check
  check docs
  check test
  check test --gcc --suite consumer --suite headers --suite compile_fail
  check test --suite modelled
  check package --test
  check test --gcc --tsan
  check test --asan
  check bench --brief
  tail -n 80 "$again"
  echo "== $((SECONDS / 60)) min $((SECONDS % 60)) s"
  echo "$passed passed, $failed failed"
  ((failed == 0 && passed > 0))
}
