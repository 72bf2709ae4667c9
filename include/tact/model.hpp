// tact::model: a whole program on a modelled machine of any size, on one thread, in virtual time in which each step
// costs what it would cost there. So it shows how the program would scale before there is such a machine.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "tact/statistics.hpp"

namespace tact {

// What the steps of a machine cost: nanoseconds, unless the name says something else. Those of `model_costs{}` are of a
// server with cores of 2023 (AMD EPYC, Zen 4); docs/scaling.md names the source of each number, and says how another
// machine is measured.
struct model_costs {
  // -- within a core
  double block = 0.08;     // each stretch of instructions that holds no jump
  double access = 0.05;    // each access to memory that the first-level cache has
  double update = 2;       // an atomic read-modify-write, or a store that is seq_cst, beside its access
  double l2 = 3.5;         // a line of 64 bytes from the core's second-level cache
  double both_busy = 1.6;  // how much longer steps take while the other thread of the core has work; no ns
  // -- between cores: a line, until it is there
  double l3 = 11;               // from the cache that the core shares with its neighbours
  double same_l3 = 35;          // from the caches of a core that shares this cache
  double same_package = 110;    // from a core, or from a shared cache, elsewhere in the package
  double other_package = 220;   // from another package
  double memory = 95;           // from the memory of the package, or of the nearest node
  double other_memory = 190;    // from memory farther away
  double hop = 12;              // how long a line stays at least before the next core gets it
  double window = 12;           // what a core does meanwhile of its next instructions: less is waited
  double stores_waited = 0.25;  // the part of a wait that a plain store has; no ns
  double streams_waited = 0.2;  // the part of a wait that an access behind the one before has; no ns
  double fetches_max = 12;      // how many lines a core has on their way by fetches; no ns
  // -- the operating system
  double pause = 20;           // one round of a spin loop
  double clock = 22;           // to read a clock
  double sleep = 900;          // to go to sleep, until another thread may have the processing unit
  double wake_none = 120;      // a call that wakes, but finds no sleeper
  double wake = 1'500;         // a call that wakes a thread
  double woken = 3'500;        // from then on until the thread runs
  double woken_idle = 20'000;  // the same when its processing unit had nothing to do for long
  double idle_long = 200'000;  // how long that is
  double slice = 1'000'000;    // how long a thread runs while another one waits for its processing unit
  double barrier = 1'500;      // membarrier
  double allocate = 20;        // malloc, and free
  double fault = 250;          // the first touch of a page of 4 KiB
  double start = 15'000;       // to start a thread
  // -- sizes
  double l2_kib = 1024;    // of each core
  double l3_kib = 32'768;  // of each cache that cores share

  // Changes the numbers that a text names, one in each line: `l3 = 14   # where the number is from`. Throws
  // std::invalid_argument, which names the line.
  void read(std::string_view text);
};
// Prints the numbers in the form that `read` takes.
std::ostream& operator<<(std::ostream&, const model_costs&);

struct model_options {
  // The machine in the words of hwloc, from the outside to the inside: "package:2 l3:4 core:8 pu:2" has two packages
  // with four shared caches each, each for eight cores of two threads. At most 512 cores and 64 shared caches.
  std::string machine = "l3:1 core:8 pu:1";
  model_costs costs{};
  // Decides what the machine leaves to chance: how long a thread takes to wake.
  std::uint64_t seed = 1;
  // A program that takes longer in virtual time is taken for one that does not end.
  double seconds_max = 3600;
};
std::ostream& operator<<(std::ostream&, const model_options&);

// Lines of one way, between the caches and memories of a machine.
struct model_transfers {
  std::string_view from;  // "l3", "same_package", ...: the name of the cost
  std::uint64_t lines = 0;
  double waited_ns = 0;  // by all threads together
};
std::ostream& operator<<(std::ostream&, const model_transfers&);

// A line of memory, or a place in the source, on which threads wait.
struct model_hot_spot {
  std::string name;  // a function and a line of the source
  std::uint64_t transfers = 0;
  double waited_ns = 0;
  unsigned writers = 0;  // cores that have written the line; 0 for a place in the source
};
std::ostream& operator<<(std::ostream&, const model_hot_spot&);

// What a program did on a modelled machine, while it was counted.
struct model_result {
  double seconds = 0;          // virtual
  double busy_seconds = 0;     // of all threads: neither asleep nor waiting for a processing unit
  unsigned threads = 0;        // that ran, the program's own among them
  std::uint64_t accesses = 0;  // to memory
  std::uint64_t sleeps = 0;
  std::uint64_t wakes = 0;                     // calls that woke a thread
  std::uint64_t pages_touched = 0;             // of 4 KiB, from the beginning of the program
  std::vector<std::uint64_t> pages_by_node{};  // of these, how many lie on each memory
  std::vector<double> timeline{};              // how many threads were busy, in pieces of time that follow each other
  double timeline_seconds = 0;                 // how long such a piece is
  std::vector<model_transfers> transfers{};
  std::vector<std::uint64_t> lines_by_node{};  // that came from each memory
  std::vector<model_hot_spot> lines{};         // of memory; those on which most time is waited
  std::vector<model_hot_spot> places{};        // in the source; those on which most time is waited
  statistics engines{};                        // the sums over the engines that ended

  // Lines that came from the memory near to the core that wanted them, and from one that is farther away.
  [[nodiscard]] std::uint64_t lines_from_near() const noexcept { return lines_from("memory"); }
  [[nodiscard]] std::uint64_t lines_from_far() const noexcept { return lines_from("other_memory"); }

  // As a text for people, and as one JSON object.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string json() const;

 private:
  [[nodiscard]] std::uint64_t lines_from(std::string_view where) const noexcept {
    for (const model_transfers& t : transfers) {
      if (t.from == where) return t.lines;
    }
    return 0;
  }
};
// Prints its text.
std::ostream& operator<<(std::ostream&, const model_result&);

// A program on a modelled machine. The program, and all of tact, must be compiled for it: link libtact_model instead of
// libtact, with the flags that its dependency brings (in Meson `tact_model_dep`); such a program cannot be linked with
// libtact. Thread safety: one thread uses a model at a time, and no other thread of the process may run meanwhile.
class model {
 public:
  // Runs `program` to its end on the machine that the options describe. The engines that it makes have a worker for
  // each processing unit unless their options say otherwise; workers stay on their seats if
  // engine_options::pin_workers says so. A handler costs what its instructions do, as far as they are compiled for the
  // model; what others cost is told by `spend`. In a process of its own, the same program with the same options gives
  // the same result.
  //
  // The program may use std::thread, std::mutex and std::condition_variable, and clocks of std::chrono, which show the
  // virtual time. Throws usage_error in a model or a simulation, std::invalid_argument when hwloc does not understand
  // the words, and what `program` throws. A program that cannot go on, because all of its threads wait, ends the
  // process with a report.
  [[nodiscard]] static model_result run(const model_options& options, const std::function<void()>& program);

  // -- within the program
  // Is this thread in a model?
  [[nodiscard]] static bool is_running() noexcept;
  // The result tells only of what happens between these two calls. Without them it tells of everything.
  static void begin_counting() noexcept;
  static void end_counting() noexcept;
  // The calling thread works for so long, on something that the model does not see: in a library that is not compiled
  // for it, for example.
  static void spend_ns(double ns) noexcept;
};

}  // namespace tact

#include "tact/detail/end.hpp"  // last
