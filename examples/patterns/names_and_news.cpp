// A trading floor. The desk that publishes prices has a name, by which screens find it. One screen is slow, and takes
// two prices at a time; it hears how many it has missed. The traders are a group, which the bell reaches all at once.
#include <iostream>
#include <string>
#include <tact/patterns/paced.hpp>
#include <tact/patterns/process_group.hpp>
#include <tact/patterns/registry.hpp>
#include <tact/patterns/topic.hpp>
#include <tact/tact.hpp>
#include <vector>

namespace {

struct price {
  long cents;
};
struct bell {};

using price_news = tact::request<tact::paced_message<price>>;
struct slow_screen : tact::protocol<tact::paced_reader<price>> {};

// Shows nothing before it is let go on; until then it owes its answers.
tact::behavior<slow_screen> open_slow_screen(std::vector<price_news>& shown, std::uint64_t& missed) {
  return {
      [&](tact::self<slow_screen>& self, const price_news& m) {
        self.defer(m);
        shown.push_back(m);
      },
      [&](auto&, const tact::missed_messages<price>& m) { missed += m.count; },
  };
}

tact::behavior<bell> open_trader() {
  return {[](tact::self<bell>& self, const bell&) { self.stop(); }};
}

}  // namespace

int main() {
  long sum = 0;
  std::vector<price_news> shown;
  std::uint64_t missed = 0;
  tact::engine engine;
  const tact::registry names(engine);

  // Where the desk is opened.
  if (!names.add("prices", engine.create(tact::topic<price>()))) return 1;

  // Elsewhere, where nobody has seen the desk: a screen that is quick, and one that is slow.
  const auto prices = names.find<tact::topic_protocol<price>>("prices");
  const auto quick = engine.create(tact::behavior<price>{[&sum](auto&, const price& m) { sum += m.cents; }});
  const auto slow = engine.create(open_slow_screen(shown, missed));
  engine.ask(prices, tact::subscribe_topic<price>{quick});
  engine.ask(prices, tact::subscribe_topic<price>{engine.create(tact::paced<price>(slow, 2))});

  for (long cents = 1; cents <= 10; ++cents) engine.send(prices, price{cents});
  engine.wait_idle();
  const auto at_once = shown.size();
  engine.send(shown.front().customer, tact::done{});  // the slow screen has shown the first one
  engine.wait_idle();

  // Traders join a group, and are members until they end.
  const auto traders = engine.create(tact::process_group<bell>());
  for (int i = 0; i < 3; ++i) engine.ask(traders, tact::join_group<bell>{engine.create(open_trader())});
  const auto before = engine.ask(traders, tact::group_members<bell>{}).size();
  engine.send(traders, bell{});
  engine.wait_idle();
  const auto after = engine.ask(traders, tact::group_members<bell>{}).size();

  std::cout << "quick screen: " << sum << " cents in all\nslow screen: " << at_once << " prices, " << missed
            << " missed\ntraders before the bell: " << before << ", after it: " << after << '\n';
  return sum == 55 && at_once == 2 && missed == 8 && before == 3 && after == 0 ? 0 : 1;
}
