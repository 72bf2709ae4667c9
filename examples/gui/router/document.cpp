#include "document.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace router {
namespace {

struct state {
  listeners to;
  std::shared_ptr<const page> now = std::make_shared<const page>();
  std::uint64_t done = 0;                      // all events up to that
  std::map<std::uint64_t, command> waiting{};  // for earlier ones, by number
};

void apply(tact::self<document>& self, state& s, const command& c) {
  auto next = std::make_shared<const page>(after(*s.now, c));
  ++s.done;
  self.send(c.last->source, taken{s.done});
  if (s.to.display) self.send(s.to.display, frame{s.done, next});
  if (s.to.analyst && next->picture != s.now->picture) self.send(s.to.analyst, next->picture);
  if (s.to.observer) self.send(s.to.observer, c);
  s.now = std::move(next);
}

tact::behavior<document> document_with(state before) {
  return {
      [before](tact::self<document>& self, const command& m) {
        state s = before;
        s.waiting.emplace(m.last->number, m);
        while (!s.waiting.empty() && s.waiting.begin()->first == s.done + 1) {
          apply(self, s, s.waiting.begin()->second);
          s.waiting.erase(s.waiting.begin());
        }
        self.become(document_with(std::move(s)));
      },
      [before](tact::self<document>& self, const tact::request<question_page>& m) { self.reply(m, before.now); },
  };
}

}  // namespace

tact::behavior<document> make_document(listeners to) { return document_with({.to = to}); }

}  // namespace router
