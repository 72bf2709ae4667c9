// What one run of a handler is to do, step by step: a function of the state that it sees and the message alone. Actors
// on an engine carry the steps out; the model says what must come of them. A request of a thread outside is never kept:
// the thread would wait for ever.
#pragma once

#include <vector>

#include "model/names.hpp"
#include "model/program.hpp"

namespace tact::model {

// A request that an actor keeps, to answer it later.
struct kept_request {
  item request;
  address customer;

  friend bool operator==(const kept_request&, const kept_request&) = default;
};

struct state {
  unsigned script = 0;
  bool forwards = false;
  address forward_to{};
  std::vector<kept_request> kept{};

  friend bool operator==(const state&, const state&) = default;
};

// What a message carries.
struct contents {
  item message{};
  letter kind = letter::nudge;
  unsigned fuel = 0;
  address introduced{};
  address customer{};  // of a query
};

// A run at its entry.
struct scene {
  run_name run = 0;
  address self{};
  place where = place::parallel;
  bool may_change = true;  // a beta has no behaviour to replace
  state seen{};
  contents message{};
};

struct step {
  enum class sort : unsigned char { message, create, become, end, fail, discard, on_commit, defer, spin };

  sort what = sort::spin;
  item made{};
  contents message{};
  address to{};
  bool spread = false;
  bool stops = false;             // end: by stop, not by becoming nothing
  listener who = listener::beta;  // of a query that was asked here
  bool asks = false;
  bool replies = false;  // `to` is a customer
  place where = place::parallel;
  unsigned times = 0;
  state next{};  // of a become, or of what is created
};

[[nodiscard]] std::vector<step> plan(const program&, const scene&);

}  // namespace tact::model
