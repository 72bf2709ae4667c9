// A print shop: texts are set, printed and bound in a line of stages that holds back whoever brings them too fast; a
// second line counts the letters of what it gets; and three shops are asked for their prices.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <tact/patterns.hpp>
#include <tact/tact.hpp>
#include <vector>

using namespace std::chrono_literals;

struct print_it {
  using reply = std::string;
  std::string text;
};
struct letters_of {
  using reply = std::size_t;
  std::string text;
};
struct price {
  using reply = int;
  int copies = 0;
};

// A source that is an actor: it brings the next text when the last one is taken.
struct begin {};
struct author : tact::protocol<begin, tact::done> {};
tact::behavior<author> write(tact::ref<tact::inlet<std::string>> to, int left) {
  const auto bring = [to, left](tact::self<author>& self) {
    if (left == 0) return self.stop();
    self.send(to, tact::request<tact::put_item<std::string>>{self.ref(), {"story " + std::to_string(left)}});
    self.become(write(to, left - 1));
  };
  return {
      [bring](tact::self<author>& self, const begin&) { bring(self); },
      [bring](tact::self<author>& self, const tact::done&) { bring(self); },
  };
}

tact::ref<tact::request<price>> open_shop(tact::engine& engine, int each) {
  return engine.create(tact::behavior<tact::request<price>>{
      [each](auto& self, const tact::request<price>& m) { self.reply(m, each * m.body.copies); }});
}

tact::ref<tact::request<print_it>> open_printer(tact::engine& engine) {
  return engine.create(tact::behavior<tact::request<print_it>>{
      [](auto& self, const tact::request<print_it>& m) { self.reply(m, "[" + m.body.text + "]"); }});
}

// Texts are set by a function, printed by a service, and bound. Whoever brings them is held back.
int print_texts(tact::engine& engine) {
  int wrong = 0;
  std::vector<std::string> bound;
  std::atomic<int> finished{0};
  std::atomic<int> spoiled{0};
  const auto binder = engine.create(tact::last_stage<std::string>(
      [&](const std::string& page) {
        bound.push_back(page);
        ++finished;
      },
      {.window = 2}));
  const auto press = engine.create(tact::stage<std::string, std::string>(open_printer(engine), binder, {.window = 2}));
  const tact::ref<tact::item_failed> complaints =
      engine.create(tact::behavior<tact::item_failed>{[&](auto&, const auto&) { ++spoiled; }});
  const auto set = engine.create(tact::stage<std::string, std::string>(
      [](std::string text) {
        if (text.empty()) throw std::invalid_argument("an empty text");  // it spoils nothing but itself
        std::replace(text.begin(), text.end(), ' ', '_');
        return text;
      },
      press, {.window = 4, .failures = complaints}));
  int most_under_way = 0;
  for (int i = 0; i < 200; ++i) {
    engine.ask(set, tact::put_item<std::string>{i == 100 ? "" : "text " + std::to_string(i)});
    most_under_way = std::max(most_under_way, i + 1 - finished);
  }
  engine.ask(set, tact::end_of_stream{});  // answered when everything is bound
  engine.wait_idle();
  wrong += bound.size() != 199 || bound.front() != "[text_0]" || bound.back() != "[text_199]";
  wrong += spoiled != 1 || most_under_way > 4 + 2 + 2 + spoiled;

  // An actor is held back as well.
  const auto writer = engine.create(write(set, 50));
  writer | begin{};
  engine.wait_idle();
  wrong += bound.size() != 249 || bound.back() != "[story_1]";
  return wrong;
}

// Plain messages, whose last answer goes on as a plain message.
int count_letters(tact::engine& engine) {
  std::atomic<std::size_t> letters{0};
  const auto counter = engine.create(tact::behavior<tact::request<letters_of>>{
      [](auto& self, const tact::request<letters_of>& m) { self.reply(m, m.body.text.size()); }});
  const auto ledger = engine.create(tact::behavior<std::size_t>{[&](auto&, std::size_t n) { letters += n; }});
  const auto count = engine.create(tact::sink_pipe(open_printer(engine), counter, ledger));
  count | print_it{"abc"};
  count | print_it{"de"};
  engine.wait_idle();
  return letters != 5 + 4;
}

// All shops say their prices; or the first of them.
int ask_prices(tact::engine& engine) {
  const std::vector<tact::ref<tact::request<price>>> shops{open_shop(engine, 3), open_shop(engine, 2)};
  const auto market = engine.create(tact::scatter_gather<price>(shops, {.limit = 1min}));
  market | tact::add_member<tact::request<price>>{open_shop(engine, 5)};
  int sum = 0;
  for (const auto& offer : engine.ask(market, tact::to_all<price>{{10}})) sum += offer.value();
  const auto quick = engine.create(tact::scatter_gather<price>(shops, {.quorum = 1}));
  return (sum != 30 + 20 + 50) + (engine.ask(quick, tact::to_all<price>{{10}}).size() != 1);
}

int main() {
  tact::engine_options options;
  options.on_failure = [](const tact::failure_report&) {};  // the one failure is told to an actor
  tact::engine engine(options);
  return print_texts(engine) + count_letters(engine) + ask_prices(engine);
}
