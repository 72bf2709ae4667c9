# ./dev bench and ./dev model. The packages, and how a step is shown, are in dev.

run_bench() {
  local brief='' micro='' other='' filter='' packages=("${packages_build[@]}" "${packages_bench[@]}") how=()
  while (($#)); do
    case $1 in
      -h | --help) usage_bench; return ;;
      --brief) brief=1 how+=(--brief) ;;
      --micro)
        micro=1
        if (($# > 1)) && [[ $2 != --* ]]; then filter=$2; shift; fi ;;
      --sweep | --generation | --defaults | --shards | --options) other=${1#--} ;;
      --windows) other=windows packages+=("${packages_windows[@]}") ;;
      --compile-time) other=compile_time ;;
      --report)
        need python3
        shift
        benchmarks/report "$@"
        return ;;
      --peers) packages+=("${packages_peers[@]}") how+=(--peers) ;;
      --json | --threads | --runs | --filter)
        (($# > 1)) || { echo "$1 needs a value"; usage_bench; exit 1; }
        [[ $1 != --filter ]] || filter=$2
        how+=("$1" "$2"); shift ;;
      *) echo "./dev bench does not know $1"; usage_bench; exit 1 ;;
    esac
    shift
  done
  need "${packages[@]}"
  local options=(--buildtype=release -Dbenchmarks=enabled -Dtests=disabled -Dexamples=disabled) at=bench
  # Tiny runs need no speed, and the compiler none of the time that speed takes.
  [[ ! $brief ]] || at=bench_brief options+=(-Doptimization=1 -Dunity=on -Dunity_size=10 -Db_pch=false -Dbenchmarks_precompiled=true)
  build "$at" "${options[@]}" || exit 1
  at=build/$at
  if [[ $other ]]; then
    "benchmarks/$other" "$at" "${how[@]}"
    return
  fi
  [[ $micro ]] || benchmarks/run "$at" "${how[@]}" || return 1
  [[ $micro || $filter ]] || benchmarks/compile_time "$at" ${brief:+--brief} || return 1
  if [[ $brief && ! $filter && ! $micro ]]; then
    local each
    for each in sweep generation defaults shards windows options; do "benchmarks/$each" "$at" --brief || return 1; done
    for each in suite_test model_test; do step "$each" "$at/$each.log" python3 -B "benchmarks/$each.py" || return 1; done
  fi
  if [[ $micro || ($brief && ! $filter) ]]; then
    benchmarks/micro/report "$at" ${brief:+--repetitions 1 --min-time 0.01} ${filter:+--filter "$filter"} \
      --json "$at/micro.json" || return 1
    [[ $filter ]] || "$at/benchmarks/changes" ${brief:+--tiny}  # what a change costs in a pattern with many members
  fi
}

usage_bench() {
  cat <<'TEXT'
./dev bench [--json FILE] [--threads 1,2] [--runs N] [--filter RE] [--peers] [--brief]
        runs the suite: each program on tact, beside its floor where it has one, in turn, and prints a table; with
        --peers also on CAF and on two kinds of threads with locked queues. --json FILE writes the results to FILE, and
        what they were measured on to FILE.about.json. --brief: tiny runs, once, and the micro benchmarks too; what can be simulated
        is, with some seeds; it fails if one result is wrong.
./dev bench --report [FILE.json]
        from what is kept in benchmarks/results: the tables of docs/performance.md and docs/savina.md, and one page
        with plots, docs/performance.html. From measurements of your own, which --json wrote: FILE.html.
./dev bench --micro [RE] [--brief]
        runs the micro benchmarks, which look at single steps, or those whose names match.
./dev bench --sweep [--json FILE] [--threads 2] [--runs N] [--brief]
        runs hot with other collisions, stays and thresholds, in turns, and prints what each does to its time. For the
        thresholds the library is built eight times more, which takes some minutes at first.
./dev bench --defaults [--json FILE] [--threads 2] [--runs N] [--filter RE] [--brief]
        runs the programs with other values of the engine's defaults, in turns, and prints what each does to their times.
        For values that are constants the library is built six times more.
./dev bench --options [--filter RE] [--json FILE]
        tries each option of each program with small values, and with one that makes no sense, which must be refused.
./dev bench --shards [--json FILE] [--threads 1,2] [--runs N] [--filter RE] [--brief]
        runs random traffic and the executor with few and with many shards, in turns with the same work by hand.
./dev bench --generation [--json FILE] [--runs N] [--brief]
        runs programs on a second build of the library, which does not check generations, in turns with the first.
./dev bench --compile-time [--json FILE] [--runs N] [--brief]
        compiles programs that use tact, and prints what they cost the compiler; so does the suite, when it has run.
TEXT
}

# Its programs are built when they are run: most people want one.
run_model() {
  local at=build/model
  case ${1:-} in
    --report) need python3; benchmarks/model --report; return ;;
    '' | -h | --help) usage_model; return ;;
  esac
  need "${packages_build[@]}" "${packages_bench[@]}"
  if [[ ! -f $at/build.ninja ]]; then
    step configure "$at/configure.log" meson setup "$at" --buildtype=release -Dmodel=enabled -Dbenchmarks=enabled \
      -Dtests=disabled -Dexamples=disabled || exit 1
  fi
  benchmarks/model "$at" "$@"
}

usage_model() {
  cat <<'TEXT'
./dev model PROGRAM [--machine 'WORDS'] [--workers LIST] [--costs FILE] [--seeds N] [--lines N] [--json FILE]
        [--plot FILE.svg] [-- OPTIONS]
        runs PROGRAM on a modelled machine with several numbers of workers, and prints for each of them what a message
        costs, how much faster it is than with one worker, which lines of memory move between cores, and what workers
        do; then the lines of memory and the places in the source on which most is waited. PROGRAM is a benchmark, such
        as executor or savina/big: without options of its own it is as in the suite. Or it is the path of an executable
        that is linked with tact_model_dep, absolute or from the project's folder; in its OPTIONS the word {workers}
        stands for the number of workers, and without it the program has as many as it makes on the whole machine.
./dev model --suite [--filter RE] [--json FILE] [--plot FILE.svg] [--machine ...] [--workers ...] [--costs ...] [--brief]
        many programs, some of them also on threads with a lock for each queue (plain), and a table; some minutes. With
        --json benchmarks/results/model.json for the documents.
./dev model --check [--filter RE] [--runs N] [--seeds N] [--costs FILE] [--json FILE] [--brief]
        ten programs with one worker and two, in a model and as they are here, in turns; it fails if the ratio of both
        times is predicted less well than within a quarter. With --json benchmarks/results/model_check.json for the
        documents. Nothing else should run meanwhile.
./dev model --report
        from what is kept in benchmarks/results: the tables and the picture of docs/scaling.md, and all that
        ./dev bench --report writes.
The programs are built in build/model. Environment: JOBS is the number of compilers, and of models, at a time.
docs/scaling.md says what a model is.
TEXT
}
