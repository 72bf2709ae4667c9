// A turnstile with two behaviours: a coin opens it, and a push closes it again.
#include <tact/tact.hpp>

struct coin {};
struct push {
  using reply = bool;
};
struct turnstile : tact::protocol<coin, tact::request<push>> {};

static tact::behavior<turnstile> locked();

static tact::behavior<turnstile> unlocked() {
  return {[](auto&, const coin&) {},
          [](tact::self<turnstile>& self, const tact::request<push>& m) {
            self.become(locked());
            self.reply(m, true);
          }};
}

static tact::behavior<turnstile> locked() {
  return {[](tact::self<turnstile>& self, const coin&) { self.become(unlocked()); },
          [](auto& self, const tact::request<push>& m) { self.reply(m, false); }};
}

int main() {
  tact::engine engine;
  const auto gate = engine.create(locked());
  const bool without_coin = engine.ask(gate, push{});
  engine.send(gate, coin{});
  const bool with_coin = engine.ask(gate, push{});
  return !without_coin && with_coin && !engine.ask(gate, push{}) ? 0 : 1;
}
