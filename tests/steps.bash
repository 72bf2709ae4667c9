# The steps of a command of ./dev: each runs with its output in a log, and says how far it is. A part of dev.

# How far the command is that writes LOG: "12 of 90, about 3 min left". Ninja and meson test count what they have done.
how_far() {  # how_far LOG SECONDS
  local log=$1 seconds=$2 done=0 of=0 left
  read -r done of < <(tail -c 20000 "$log" 2>/dev/null | tr '\r' '\n' |
    sed -nE 's@^ *\[?([0-9]+)/([0-9]+)[] ].*@\1 \2@p' | tail -n 1) || true
  if ((of > 0)); then
    printf '%s of %s' "$done" "$of"
    ((done > 0)) || return 0
    left=$((seconds * (of - done) / done))
    ((left < 60)) && printf ', about %s s left' "$left" || printf ', about %s min left' $(((left + 30) / 60))
  else
    tail -n 1 "$log" 2>/dev/null | tr -dc '[:print:]' | cut -c1-70 | tr -d '\n'
  fi
}

# Says how far a step is, each second on a terminal, once a minute in a log, until it is killed or the script has ended.
# Ninja compiles, meson test tests: their words stand before the counts.
tell_progress() {  # tell_progress NAME LOG
  local name=$1 log=$2 began=$SECONDS every=60 words=''
  [[ -t 1 ]] && every=1
  local next=$every
  [[ $name == build ]] && words='compiled '
  [[ $name == run ]] && words='tests done '
  while sleep 1 >/dev/null 2>&1; kill -0 $$ 2>/dev/null; do
    local seconds=$((SECONDS - began))
    ((seconds >= next)) || continue  # a loaded machine may skip a second
    next=$((seconds - seconds % every + every))
    if [[ -t 1 ]]; then
      printf '\r  %-10s %4d s  %s%s\e[K' "$name" "$seconds" "$words" "$(how_far "$log" "$seconds")"
    else
      printf '\n  %-10s %4d s  %s%s' "$name" "$seconds" "$words" "$(how_far "$log" "$seconds")"
    fi
  done
}

# step NAME LOG COMMAND...: runs it with its output in LOG; one line, and the end of the log when it failed. While it
# runs it says how far it is.
step() {
  local name=$1 log=$2 began=$SECONDS status=0 teller
  shift 2
  mkdir -p "$(dirname "$log")"
  : >"$log"
  printf '  %-10s ' "$name"
  tell_progress "$name" "$log" </dev/null &
  teller=$!
  "$@" >"$log" 2>&1 </dev/null || status=$?
  kill $teller 2>/dev/null
  wait $teller 2>/dev/null || true
  if [[ -t 1 ]]; then
    printf '\r  %-10s ' "$name"
  elif ((SECONDS - began > 60)); then
    printf '\n  %-10s ' "$name"
  fi
  if ((status == 0)); then
    printf '%4d s  ok' $((SECONDS - began))
  else
    printf '%4d s  FAILED (%s)' $((SECONDS - began)) "$log"
  fi
  [[ -t 1 ]] && printf '\e[K'
  printf '\n'
  ((status == 0)) || tail -n "${TACT_TAIL:-40}" "$log" | sed 's/^/    /'
  return $status
}

# build CONFIG MESON_OPTION...: configures build/CONFIG and compiles it; the array `targets` may say what of it, or none.
targets=()
build() {
  local config=$1 dir=build/$1
  shift
  echo "$config:"
  local setup=(meson setup "$dir" "$@")
  # Only the second one knows options that are newer than the folder, and it takes longer.
  [[ -f $dir/build.ninja ]] &&
    setup=(sh -c 'meson configure "$@" || meson setup --reconfigure "$@"' - "$dir" "$@")
  step configure "$dir/configure.log" "${setup[@]}" || return 1
  [[ ${targets[*]} != none ]] || return 0
  step build "$dir/build.log" ninja -C "$dir" ${JOBS:+-j "$JOBS"} "${targets[@]}" || return 1
}
