// The actors of a random program on an engine: messages, and behaviours that carry out the steps of their plan.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <utility>
#include <vector>

#include "model/history.hpp"
#include "model/plan.hpp"
#include "tact/tact.hpp"

namespace tact::model {

struct node;
struct answer;

// What every message carries.
struct header {
  item message{};
  address introduced{};
  unsigned fuel = 0;
};

// A part of a message that says when it was made and when it is gone.
class trace {
 public:
  trace(recorder& r, item message) : recorder_(&r), message_(message) { r.mine().parcels_made.push_back(message); }
  trace(trace&& other) noexcept : recorder_(std::exchange(other.recorder_, nullptr)), message_(other.message_) {}
  trace& operator=(trace&& other) noexcept {
    std::swap(recorder_, other.recorder_);
    std::swap(message_, other.message_);
    return *this;
  }
  ~trace() {
    if (recorder_ != nullptr) recorder_->mine().parcels_gone.push_back(message_);
  }

 private:
  recorder* recorder_;
  item message_;
};

struct nudge {
  item message{};
  unsigned fuel = 0;
};
struct note {
  header h{};
};
struct parcel {
  header h{};
  trace kept;
};
struct crate {
  header h{};
  trace kept;
  std::array<std::uint64_t, 12> load{};
};
struct query {
  using reply = answer;
  header h{};
  item customer{};
};
struct answer {
  header h{};
  trace kept;
};
// Asks which actors are there, when nothing is left to do.
struct probe {};

struct node : protocol<nudge, note, parcel, crate, request<query>, answer, failure, probe> {};

static_assert(detail::fits_inline<parcel> && !detail::fits_inline<crate>);

// Deliberate mistakes of the actors, each of which breaks a law.
enum class mistake : unsigned char {
  none,
  counts_in_handler,  // what belongs into on_commit is done at once
  sends_twice,
  forgets_to_send,
  sends_backwards,
  sends_before_it_throws,
  becomes_what_it_was,
  keeps_quiet,  // a request is deferred and forgotten
};

class clerk;

// Is shown the engine before anything happens in it. Then each run notes its name, for a trace of the engine.
using spectator = std::function<void(engine&)>;

// What all actors of an execution share.
struct world {
  const program& what;
  recorder& records;
  mistake wrong = mistake::none;
  spectator begins{};
  std::atomic<unsigned> doubled{0};  // messages that were sent twice: few, as each may lead to many more
  std::vector<ref<node>> founders{};
  std::vector<ref<clerk>> clerks{};  // by founder; empty for those that are no classic actors
};

// An actor between two of its becomes.
struct persona {
  world* in = nullptr;
  item me{};
  place where = place::parallel;
  run_name version = 0;
  state now{};
  diary* turns = nullptr;  // of an exclusive actor
};

[[nodiscard]] behavior<node> open_node(persona);

// The same as a classic actor.
class clerk : public actor<clerk, node> {
 public:
  explicit clerk(persona p) : p_(std::move(p)) {}
  void receive(self<clerk>&, const nudge&);
  void receive(self<clerk>&, const note&);
  void receive(self<clerk>&, const parcel&);
  void receive(self<clerk>&, const crate&);
  void receive(self<clerk>&, const request<query>&);
  void receive(self<clerk>&, const answer&);
  void receive(self<clerk>&, const failure&);
  void receive(self<clerk>&, const probe&);

 private:
  template <class M>
  void handle(self<clerk>&, const M&);

  persona p_;
};

// A message as the model knows it becomes one of the engine: send(message) is called with it.
template <class Send>
void with_message(recorder& r, const contents& c, Send send) {
  const header h{c.message, c.introduced, c.fuel};
  switch (c.kind) {
    case letter::note:
      return send(note{h});
    case letter::parcel:
      return send(parcel{h, {r, c.message}});
    case letter::crate: {
      crate big{h, {r, c.message}, {}};
      big.load.fill(c.message.bits);
      return send(std::move(big));
    }
    case letter::query:
      return send(request<query>{detail::access::make_ref<answer>(c.customer.port), {h, c.customer.who}});
    case letter::answer:
      return send(answer{h, {r, c.message}});
    case letter::nudge:
    case letter::failure:
      break;
  }
  send(nudge{c.message, c.fuel});
}

template <class P>
[[nodiscard]] address address_of(item who, ref<P> r) noexcept {
  return {who, detail::access::port_of(r)};
}

// Creates an actor by `site`, an engine or a transaction.
template <class Site>
ref<node> create(Site& site, persona p, ref<clerk>* as_clerk = nullptr) {
  log& l = p.in->records.mine();
  if (is_exclusive(p.where)) p.turns = &l.diaries.emplace_back();
  const item me = p.me;
  ref<node> made;
  switch (p.where) {
    case place::parallel:
      made = site.create(open_node(std::move(p)), tact::parallel);
      break;
    case place::ordered:
      made = site.create(open_node(std::move(p)));
      break;
    case place::heavy:
      made = site.create(open_node(std::move(p)), heavy);
      break;
    case place::blocking:
      made = site.create(open_node(std::move(p)), blocking);
      break;
    case place::classic: {
      const ref<clerk> c = site.template spawn<clerk>(std::move(p));
      if (as_clerk != nullptr) *as_clerk = c;
      made = c;
      break;
    }
  }
  const detail::port at = detail::access::port_of(made);
  l.addresses.push_back({me, at, text_of_address(at), false});
  return made;
}

}  // namespace tact::model
