// What was seen of one execution of a program. Each thread writes a log of its own, so that seeing changes the
// execution little.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "model/names.hpp"
#include "model/program.hpp"
#include "tact/failure.hpp"
#include "tact/statistics.hpp"

namespace tact::model {

// A handler ran, perhaps in vain.
struct run_record {
  run_name run = 0;
  item actor{};
  letter kind = letter::nudge;
  item message{};  // none: tact::failure carries no name
  item introduced{};
  unsigned fuel = 0;
  run_name seen = 0;        // whose become made the behaviour that it saw; 0: the actor's first
  run_name seen_after = 0;  // the same at its end
  unsigned script = 0;      // of that behaviour
  unsigned turn = 0;        // of an exclusive actor: how many runs of it had begun
  bool met = false;         // another run of this exclusive actor was not over
  bool damaged = false;     // the message is not as it was sent
  bool returned = false;
  bool threw = false;
  failure_reason reason{};  // tact::failure

  friend bool operator==(const run_record&, const run_record&) = default;
};

// A customer heard that no answer will come.
struct refusal {
  item customer;
  failure_reason reason;

  friend bool operator==(const refusal&, const refusal&) = default;
};
// A thread outside got its answer.
struct received {
  item customer;
  item answer;

  friend bool operator==(const received&, const received&) = default;
};
// An actor that was alive when nothing was left to do.
struct survivor {
  item actor;
  run_name version;
  unsigned script;

  friend bool operator==(const survivor&, const survivor&) = default;
};
// Where an actor, or a customer made by a run, was created; perhaps in vain.
struct whereabouts {
  item who;
  std::uint64_t port;
  std::string text;  // as undelivered::target
  bool is_customer;
};
struct undelivered {
  std::string target;   // as a ref prints, without its name; empty: an empty ref
  std::string message;  // type
  failure_reason reason;

  friend bool operator==(const undelivered&, const undelivered&) = default;
};

// Of an exclusive actor, for the worker that runs it. Not atomic: one handler at a time runs.
struct diary {
  unsigned turns = 0;
  bool inside = false;
};

// The address alone of an actor that a report describes; empty: of an empty ref.
[[nodiscard]] std::string address_in(const std::string& description);
// As a dead letter names the actor that is at that port now.
[[nodiscard]] std::string text_of_address(std::uint64_t port);

// What one thread saw, in its order.
struct log {
  unsigned number = 0;
  std::uint32_t runs_begun = 0;
  std::deque<run_record> runs;
  std::vector<item> committed;  // callbacks that ran
  std::vector<refusal> refused;
  std::vector<received> answers;
  std::vector<survivor> survivors;
  std::vector<undelivered> dead;
  std::vector<std::string> reports;  // texts of what handlers threw
  std::vector<whereabouts> addresses;
  std::vector<item> parcels_made, parcels_gone;
  // Not collected: of actors that were created here; and what to do after a failure.
  std::deque<diary> diaries;
  std::function<void()> escaped;
};

struct history {
  log all;  // of all threads
  statistics figures{};
  bool cut = false;                     // the engine was cancelled before all was done
  std::string hung;                     // what still ran when all threads had waited for long
  std::vector<std::string> complaints;  // of others that looked on
};

// Hands out a log to each thread that asks, also to those of a simulation, which are all one to the system. Thread
// safety: any thread; a log belongs to its thread.
class recorder {
 public:
  recorder();
  recorder(const recorder&) = delete;
  recorder& operator=(const recorder&) = delete;

  // The log of this thread. A thread without a number gets the next free one.
  [[nodiscard]] log& mine();
  // This thread has that number from now on. REQUIRES: below `reserved`, and no other thread has it.
  void call_this_thread(unsigned number);
  // REQUIRES: no thread writes any more.
  [[nodiscard]] history collect() const;

  static constexpr unsigned reserved = 8;  // for the threads of the program itself

 private:
  log*& seat();
  log& open(unsigned number);

  const std::uint64_t serial_;
  std::mutex mutex_;
  std::deque<log> logs_;
  std::map<unsigned, log*> of_simulated_;  // by the thread's number
  unsigned next_ = reserved;
};

}  // namespace tact::model
