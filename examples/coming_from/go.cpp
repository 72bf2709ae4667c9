// Squares are computed by several workers at once, and added up; the first failure ends the work:
// docs/coming_from_go.md.
#include <chrono>
#include <stdexcept>
#include <tact/patterns/ask_each.hpp>
#include <tact/tact.hpp>
#include <vector>

namespace {

using namespace std::chrono_literals;

struct square {
  using reply = int;
  int of;
};
struct sum {
  using reply = int;
  std::vector<square> all;
};

tact::behavior<tact::request<square>> open_squares() {
  return {[](tact::transaction& tx, const tact::request<square>& m) {
    if (tx.context().is_over()) return;  // nobody wants it any more
    if (m.body.of < 0) throw std::invalid_argument("a negative number");
    tx.reply(m, m.body.of * m.body.of);
  }};
}

tact::behavior<tact::request<sum>> open_sums(tact::ref<tact::request<square>> squares) {
  return {[=](tact::transaction& self, const tact::request<sum>& m) {
    self.defer(m);
    const auto failed = [](const tact::outcome<int>& o) { return !o; };
    tact::ask_each(self, squares, m.body.all, {.at_once = 4}, failed,
                   [m](tact::transaction& tx, const std::vector<tact::outcome<int>>& all) {
                     int total = 0;
                     for (const auto& o : all) {
                       if (!o) return tx.fail(m, o.why());
                       total += *o;
                     }
                     tx.reply(m, total);
                   });
  }};
}

}  // namespace

int main() {
  tact::engine_options options;
  options.on_failure = [](const tact::failure_report&) {};  // the one who asked is told
  tact::engine engine(options);
  const auto squares = engine.create(open_squares(), tact::parallel);
  const auto sums = engine.create(open_sums(squares));

  std::vector<square> all;
  for (int n = 1; n <= 10; ++n) all.push_back({n});
  const auto total = engine.ask(sums, sum{all}, 10s);  // empty when the time is over
  bool refused = false;
  try {
    engine.ask(sums, sum{{{1}, {-1}}});
  } catch (const tact::ask_error&) {
    refused = true;
  }
  return total == 385 && refused ? 0 : 1;
}
