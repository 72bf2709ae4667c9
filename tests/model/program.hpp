// A random program as plain data: which actors are there at the beginning, what each does with a message, and what
// threads outside send.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tact::model {

// Kinds of messages: one slot, two slots, with a destructor, boxed, a request, its answer, and tact::failure.
enum class letter : unsigned char { nudge, note, parcel, crate, query, answer, failure };
inline constexpr unsigned letters = 7;

enum class place : unsigned char { parallel, ordered, classic, heavy, blocking };
constexpr bool is_exclusive(place p) noexcept { return p != place::parallel; }

enum class verb : unsigned char {
  send,       // `times` messages of `kind`
  create,     // an actor at `where` with script `number`
  become,     // go on with script `number`
  forward,    // become a forwarder
  nothing,    // become nothing
  stop,       // end
  fail,       // throw
  discard,    // forget what was staged
  on_commit,  // something for after the commit
  ask,        // send a query; the actor `who` hears the answer
  reply,      // answer the query that is handled
  pass_on,    // hand it on
  defer,      // keep it, in the next state
  release,    // answer those kept
  spin,       // take some time
};
inline constexpr unsigned verbs = 15;

enum class whom : unsigned char { founder, self, child, introduced, nobody };
enum class listener : unsigned char { beta, deaf_beta, self };

struct act {
  verb what = verb::spin;
  letter kind = letter::nudge;
  whom to = whom::founder;
  unsigned number = 0;  // of a founder or a script, modulo how many there are
  unsigned times = 1;
  bool spread = false;
  place where = place::parallel;
  listener who = listener::beta;
};

using rule = std::vector<act>;

// What an actor does with each kind of message.
struct script {
  std::array<rule, letters> rules;
};

struct founder_plan {
  place where = place::parallel;
  unsigned script = 0;
};

// What a thread outside does. `fuel` bounds how many messages come of one.
struct outside_act {
  enum class sort : unsigned char { send, ask, pill, cancel } what = sort::send;
  letter kind = letter::nudge;
  unsigned to = 0;
  unsigned fuel = 0;
  bool spread = false;
};

struct settings {
  unsigned workers = 1;
  unsigned shards = 0;
  bool joint_holds = true;
  unsigned collisions_max = 3;
  unsigned victims = 0;  // longest, random, none, nearest
  bool transactional_ends = false;
  bool classic_ends = true;
};

struct program {
  settings how;
  std::vector<script> scripts;
  std::vector<founder_plan> founders;
  std::vector<std::vector<outside_act>> threads;

  [[nodiscard]] unsigned script_number(unsigned n) const noexcept {
    return n % static_cast<unsigned>(scripts.empty() ? 1 : scripts.size());
  }
};

// For people, in the manner of C++.
[[nodiscard]] std::string text_of(const program&);
[[nodiscard]] const char* text_of(letter) noexcept;
[[nodiscard]] const char* text_of(place) noexcept;

}  // namespace tact::model
