"""What the suite measures: a case is a program with some of its options, on each runtime that has it."""

from collections import namedtuple

RUNTIMES = ("tact", "floor", "caf", "threads")

# name: in tables and files. options: for every runtime. only: the runtimes that have such a case, besides tact.
# own: options for one runtime. threads_min: fewer do not make sense.
Case = namedtuple("Case", "name program options only own threads_min")


def case(name, program=None, options=(), only=("caf", "threads"), own=None, threads_min=1):
    return Case(name, program or name, tuple(options), tuple(only), own or {}, threads_min)


ALL = ("floor", "caf", "threads")

CASES = (
    case("static_send", only=ALL),
    case("static_send/transactional", "static_send", ["--variant", "transactional"], only=["floor"]),
    case("static_send/reference", "static_send", ["--variant", "reference"], only=[]),
    case("dynamic_send", only=ALL),
    case("dynamic_send/transactional", "dynamic_send", only=["floor"], own={"tact": ["--variant", "transactional"]}),
    case("dynamic_send/allocated", "dynamic_send", ["--variant", "allocated"], only=[]),
    case("executor"),
    case("executor/together", "executor", ["--placing", "together"], only=[], threads_min=2),
    case("executor/random", "executor", ["--victims", "random"], only=[], threads_min=2),
    case("executor/none", "executor", ["--victims", "none"], only=[], threads_min=2),
    case("repeat"),
    case("repeat/random", "repeat", ["--victims", "random"], only=[], threads_min=2),
    case("repeat/none", "repeat", ["--victims", "none"], only=[], threads_min=2),
    case("balance_one", "balance", ["--loaded", "one"], only=ALL),
    case("balance_one/random", "balance", ["--loaded", "one", "--victims", "random"], only=[], threads_min=2),
    case("balance_one/none", "balance", ["--loaded", "one", "--victims", "none"], only=[], threads_min=2),
    # With two workers every other one is the first, as above.
    case("balance_multi", "balance", ["--loaded", "multi"], only=ALL, threads_min=2),
    case("balance_multi/random", "balance", ["--loaded", "multi", "--victims", "random"], only=[], threads_min=2),
    case("balance_multi/none", "balance", ["--loaded", "multi", "--victims", "none"], only=[], threads_min=2),
    case("matrix", only=ALL),
    case("matrix/random", "matrix", ["--victims", "random"], only=[], threads_min=2),
    case("matrix/none", "matrix", ["--victims", "none"], only=[], threads_min=2),
    case("ping_pong", "ping_pong", ["--variant", "plain"]),
    case("ping_pong/savina", "ping_pong", ["--variant", "savina"]),
    case("thread_ring"),
    case("thread_to_actor", only=ALL),
    case("thread_to_actor/transactional", "thread_to_actor", only=["floor"], own={"tact": ["--variant", "transactional"]}),
    case("create", only=ALL),
    case("create/transactional", "create", only=["floor"], own={"tact": ["--variant", "transactional"]}),
    case("send", only=ALL),
    case("send/transactional", "send", ["--variant", "transactional"], only=["floor"]),
    case("send/becoming", "send", ["--variant", "becoming"], only=["floor", "caf"]),
    case("idle"),
)

# Floors of one thread that nothing is to be compared with where there are more.
FLOORS_OF_ANY_THREADS = ("balance", "matrix")


def runtimes_of(one, threads, peers):
    """Those that are to run, tact first."""
    found = ["tact"]
    for runtime in one.only:
        if runtime == "floor" and threads > 1 and one.program not in FLOORS_OF_ANY_THREADS:
            continue
        if runtime == "floor" or peers:
            found.append(runtime)
    return found
