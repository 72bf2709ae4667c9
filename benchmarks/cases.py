"""What the suite measures: a case is a program with some of its options, on each runtime that has it."""

from collections import namedtuple

RUNTIMES = ("tact", "floor", "caf", "threads", "plain")

# name: in tables and files. options: for every runtime. only: the runtimes that have such a case, besides tact.
# own: options for one runtime. threads_min, threads_max: fewer, or more, do not make sense. beside: other cases with which
# it takes turns, and whose times on tact it is compared with. simulated: on tact it knows --seeds.
Case = namedtuple("Case", "name program options only own threads_min threads_max beside simulated")


def case(name, program=None, options=(), only=("caf", "threads"), own=None, threads_min=1, threads_max=1024, beside=(),
         simulated=False):
    return Case(name, program or name, tuple(options), tuple(only), own or {}, threads_min, threads_max, tuple(beside), simulated)


ALL = ("floor", "caf", "threads")
ALL_AND_PLAIN = (*ALL, "plain")

# About 200 ns on the machine of docs/performance.md; the program says what it is here.
WORK_200_NS = ("--steps", "115")
ONE_PERCENT = ("--changing", "100", *WORK_200_NS)
TEN_PERCENT = ("--changing", "10", *WORK_200_NS)


def hot(name, variant, options=(), only=(), beside=()):
    """The actor that all send to; beside an ordered one the floor is a lock, beside others compare-and-swap."""
    counter = "mutex" if variant == "ordered" else "atomic"
    own = {"tact": ["--variant", variant], "floor": ["--counter", counter]}
    return case(name, "hot", options, only, own, beside=beside)


def savina(name, *only):
    """A program of the Savina suite; after a slash, its other variant, which takes turns with the first."""
    program, _, variant = name.partition("/")
    own = {"tact": ["--variant", variant]} if variant else None
    beside = [f"savina/{program}"] if variant else []
    return case(f"savina/{name}", f"savina/{program}", only=only, own=own, beside=beside, simulated=True)


SAVINA = (
    savina("ping_pong", "caf"),
    savina("count", "caf"),
    savina("count/transactional"),
    savina("fork_join_throughput", "caf"),
    savina("fork_join_create", "caf"),
    savina("thread_ring", "caf"),
    savina("chameneos", "caf"),
    savina("big", "caf"),
    savina("concurrent_dictionary", "caf"),
    savina("concurrent_dictionary/transactional"),
    savina("sorted_list", "caf"),
    savina("sorted_list/transactional"),
    savina("bounded_buffer", "caf"),
    savina("bounded_buffer/transactional"),
    savina("philosophers", "caf"),
    savina("philosophers/transactional"),
    savina("sleeping_barber", "caf"),
    savina("cigarette_smokers", "caf"),
    savina("logistic_map", "floor", "caf"),
    savina("banking", "caf"),
    savina("banking/transactional"),
    savina("radix_sort", "floor", "caf"),
    savina("filter_bank", "floor", "caf"),
    savina("sieve", "floor", "caf"),
    savina("cobwebbed_tree"),
    savina("facility_location", "floor", "caf"),
    savina("trapezoid", "floor", "caf"),
    savina("pi", "floor", "caf"),
    savina("matrix_multiply", "floor", "caf"),
    savina("quicksort", "floor", "caf"),
    savina("all_pairs", "floor", "caf"),
    savina("successive_over_relaxation", "floor", "caf"),
    savina("a_star", "floor"),
    savina("queens", "floor", "caf"),
    savina("fibonacci", "floor", "caf"),
    savina("fibonacci/transactional"),
    savina("bitonic_sort", "floor", "caf"),
)


def reactors(name, *options, program=None):
    """A program of the Reactors suite, or one of ours that does the same with these options, and is simulated there."""
    return case(f"reactors/{name}", program or f"reactors/{name}", options, only=[], simulated=program is None)


REACTORS = (
    reactors("ping_pong"),
    reactors("streaming_ping_pong", "--window", "128", program="reactors/ping_pong"),
    reactors("thread_ring"),
    reactors("counting", "--messages", "250000", program="savina/count"),
    reactors("fork_join_throughput"),
    reactors("fork_join_create"),
    reactors("fibonacci", "--number", "26", program="savina/fibonacci"),
    reactors("big", "--actors", "1280", "--pings", "250", program="savina/big"),
    reactors("baseline", "--sends", "25000", program="static_send"),
)

CASES = (
    case("static_send", only=ALL),
    case("static_send/transactional", "static_send", ["--variant", "transactional"], only=["floor"]),
    case("static_send/reference", "static_send", ["--variant", "reference"], only=[]),
    case("dynamic_send", only=ALL),
    case("dynamic_send/transactional", "dynamic_send", only=["floor"], own={"tact": ["--variant", "transactional"]}),
    case("dynamic_send/allocated", "dynamic_send", ["--variant", "allocated"], only=[]),
    case("executor", only=ALL_AND_PLAIN),
    case("executor/spawned", "executor", only=["floor"], own={"tact": ["--variant", "spawned"]}),
    case("executor/together", "executor", ["--placing", "together"], only=["floor", "plain"], threads_min=2),
    case("executor/longest", "executor", ["--victims", "longest"], only=[], threads_min=2),
    case("executor/random", "executor", ["--victims", "random"], only=[], threads_min=2),
    case("executor/none", "executor", ["--victims", "none"], only=["plain"], threads_min=2),
    # Its actors keep something, so that a message touches them; those of the variants keep nothing.
    case("random", only=ALL_AND_PLAIN),
    case("random/1000", "random", ["--actors", "1000"], only=ALL_AND_PLAIN),
    case("random/400000", "random", ["--actors", "400000"], only=ALL_AND_PLAIN),
    case("random/spawned", "random", only=["floor"], own={"tact": ["--variant", "spawned"]}),
    case("random/ordered", "random", only=[], own={"tact": ["--variant", "ordered"]}),
    case("random/parallel", "random", only=[], own={"tact": ["--variant", "parallel"]}),
    case("repeat", only=("caf", "threads", "plain")),
    case("repeat/longest", "repeat", ["--victims", "longest"], only=[], threads_min=2),
    case("repeat/random", "repeat", ["--victims", "random"], only=[], threads_min=2),
    case("repeat/none", "repeat", ["--victims", "none"], only=["plain"], threads_min=2),
    case("balance_one", "balance", ["--loaded", "one"], only=ALL_AND_PLAIN),
    case("balance_one/longest", "balance", ["--loaded", "one", "--victims", "longest"], only=[], threads_min=2),
    case("balance_one/random", "balance", ["--loaded", "one", "--victims", "random"], only=[], threads_min=2),
    case("balance_one/none", "balance", ["--loaded", "one", "--victims", "none"], only=["plain"], threads_min=2),
    # With two workers every other one is the first, as above.
    case("balance_multi", "balance", ["--loaded", "multi"], only=ALL_AND_PLAIN, threads_min=2),
    case("balance_multi/longest", "balance", ["--loaded", "multi", "--victims", "longest"], only=[], threads_min=2),
    case("balance_multi/random", "balance", ["--loaded", "multi", "--victims", "random"], only=[], threads_min=2),
    case("balance_multi/none", "balance", ["--loaded", "multi", "--victims", "none"], only=["plain"], threads_min=2),
    case("matrix", only=ALL),
    case("matrix/longest", "matrix", ["--victims", "longest"], only=[], threads_min=2),
    case("matrix/random", "matrix", ["--victims", "random"], only=[], threads_min=2),
    case("matrix/none", "matrix", ["--victims", "none"], only=[], threads_min=2),
    # Its messages carry a word's number; what counts is how searches are shared among workers.
    case("matrix_search", only=("floor", "caf"), simulated=True),
    case("matrix_search/heavy", "matrix_search", ["--placing", "heavy"], only=[], beside=["matrix_search"], simulated=True),
    case("matrix_search/local", "matrix_search", ["--placing", "local"], only=[], beside=["matrix_search"], simulated=True),
    case("matrix_search/block", "matrix_search", ["--assignment", "block"], only=("floor", "caf"), simulated=True),
    case("matrix_search/block_local", "matrix_search", ["--assignment", "block", "--placing", "local"], only=[],
         beside=["matrix_search/block"], simulated=True),
    case("matrix_search/block_round_robin", "matrix_search", ["--assignment", "block", "--placing", "round_robin"], only=[],
         beside=["matrix_search/block"], simulated=True),
    case("ping_pong"),
    case("thread_to_actor", only=ALL),
    case("thread_to_actor/transactional", "thread_to_actor", only=["floor"], own={"tact": ["--variant", "transactional"]}),
    case("thread_to_actor/limited", "thread_to_actor", ["--limit", "mailbox"], only=[], beside=["thread_to_actor"]),
    case("thread_to_actor/engine_limited", "thread_to_actor", ["--limit", "engine"], only=[], beside=["thread_to_actor"]),
    case("create", only=ALL),
    case("create/ordered", "create", only=[], own={"tact": ["--variant", "ordered"]}, beside=["create/transactional"]),
    case("create/transactional", "create", only=["floor"], own={"tact": ["--variant", "transactional"]}),
    case("send", only=ALL),
    case("send/transactional", "send", ["--variant", "transactional"], only=["floor"]),
    case("send/ordered", "send", ["--variant", "ordered"], only=[], beside=["send/transactional"]),
    case("send/ordered_becoming", "send", ["--variant", "ordered_becoming"], only=[], beside=["send/becoming"]),
    case("send/becoming", "send", ["--variant", "becoming"], only=["floor", "caf"]),
    case("send/pumped", "send", ["--handlers", "pumped"], only=[], threads_max=1, beside=["send"]),
    case("send/limited", "send", ["--limit", "mailbox"], only=[], threads_max=1, beside=["send"]),
    # A message is a question and its answer.
    case("ask", only=["floor"], threads_max=1),
    case("ask/busy", "ask", ["--variant", "busy"], only=[]),
    case("ask/helping", "ask", ["--variant", "helping"], only=[], beside=["ask"]),
    case("ask/continuation", "ask", ["--variant", "continuation"], only=[], threads_max=1, beside=["ask/serialized"]),
    case("ask/serialized", "ask", ["--variant", "serialized"], only=[], threads_max=1),
    case("ask/serialized_100", "ask", ["--variant", "serialized", "--clients", "100"], only=[], threads_max=1),
    case("parked_ask", only=[], threads_max=1, beside=["ask/continuation", "parked_ask/continuation"]),
    case("parked_ask/continuation", "parked_ask", ["--variant", "continuation"], only=[], threads_max=1),
    case("parked_ask/10000", "parked_ask", ["--clients", "10000"], only=[], threads_max=1),
    # Every message becomes, and there is no work.
    hot("hot", "adaptive", only=ALL, beside=["hot/classic", "hot/ordered"]),
    hot("hot/classic", "classic"),
    hot("hot/ordered", "ordered", only=["floor"], beside=["hot/classic"]),
    # One in a hundred does, one in ten, and each does some work.
    hot("hot_1%", "adaptive", ONE_PERCENT, only=ALL, beside=["hot_1%/ordered"]),
    hot("hot_1%/ordered", "ordered", ONE_PERCENT, only=["floor"]),
    hot("hot_10%", "adaptive", TEN_PERCENT, only=ALL, beside=["hot_10%/ordered"]),
    hot("hot_10%/ordered", "ordered", TEN_PERCENT, only=["floor"]),
    # How often one message ran: counting it takes time, so these times are not to be compared.
    hot("hot/worst_adaptive", "adaptive", ["--changing", "2", *WORK_200_NS, "--runs", "counted"]),
    # Each actor works in step with its neighbours: little work for a message, and more.
    case("life", only=("floor", "threads"), simulated=True),
    case("life/strips", "life", ["--variant", "strips"], only=["floor"], simulated=True),
    case("long_handler", options=["--retired-max", "100000", "--growth-max", "64"], only=[], threads_min=2),
    case("schedules", only=[], threads_max=1),
    case("schedules/two_shards", "schedules", ["--shards", "two"], only=[], threads_max=1),
    case("generation", only=[], threads_max=1),
    case("timer", only=[]),
    case("timer/handler", "timer", ["--by", "handler"], only=[]),
    case("idle"),
    *SAVINA,
    *REACTORS,
)

# Floors of one thread that nothing is to be compared with where there are more.
FLOORS_OF_ANY_THREADS = ("balance", "matrix", "matrix_search", "hot", "life", "executor", "random", *(one.program for one in SAVINA))


def runtimes_of(one, threads, peers):
    """Those that are to run, tact first."""
    found = ["tact"]
    for runtime in one.only:
        if runtime == "floor" and threads > 1 and one.program not in FLOORS_OF_ANY_THREADS:
            continue
        if runtime == "floor" or peers:
            found.append(runtime)
    return found


def is_whole(name):
    """Is it the program's whole time that is compared, and not that of a message? How many messages a program takes may
    depend on the schedule."""
    return name.split("/")[0] in ("savina", "reactors")


def suits(one, threads):
    return one.threads_min <= threads <= one.threads_max


def groups_of(cases):
    """Lists of those that take turns: who names another is in its list. In their order, by the first of each list."""
    groups = []
    for one in cases:
        met = [g for g in groups if any(one.name in other.beside or other.name in one.beside for other in g)]
        groups = [g for g in groups if g not in met[1:]]
        if met:
            met[0].extend([other for g in met[1:] for other in g] + [one])
        else:
            groups.append([one])
    return groups
