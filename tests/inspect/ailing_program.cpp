// A program with a live page that does well, and falls ill on demand, for the tests in a browser. It prints the address
// of the page, and obeys the words on its standard input: "well" lets a spider fan out and gather, and a clerk answer
// late; "ill" lets a safe keep requests, three of them of a thread outside, a wall answer none, and a crawler send more
// than is fetched; "end" or its end ends it.
#include <atomic>
#include <chrono>
#include <iostream>
#include <string>
#include <vector>

#include "tact/inspect/live_page.hpp"
#include "tact/tact.hpp"

namespace house {

using namespace std::chrono_literals;

struct tick {};
struct found {};
struct due {};
struct fetch {};
struct load {
  using reply = int;
};
using load_request = tact::request<load>;

std::atomic<bool> goes_on{true};
std::atomic<bool> is_ill{false};  // the spider rests then, so that messages in flight only become more

// Each answer comes three seconds late.
class clerk : public tact::actor<clerk, load_request, due> {
 public:
  void receive(tact::self<clerk>& self, const load_request& m) {
    kept_.push_back(m);
    self.defer(m);
    self.send_after(3s, self.ref(), due{});
  }
  void receive(tact::self<clerk>& self, const due&) { self.reply(kept_[next_++], 1); }

 private:
  std::vector<load_request> kept_;
  std::size_t next_ = 0;
};
class safe : public tact::actor<safe, load_request> {
 public:
  void receive(tact::self<safe>& self, const load_request& m) {
    kept_.push_back(m);
    self.defer(m);
  }

 private:
  std::vector<load_request> kept_;
};
class wall : public tact::actor<wall, load_request> {
 public:
  void receive(tact::self<wall>&, const load_request&) {}
};

// Asks some questions again and again, and does not wait for the answers.
template <class To>
class client : public tact::actor<client<To>, tick> {
 public:
  explicit client(tact::ref<To> to) : to_(to) {}
  void receive(tact::self<client>& self, const tick&) {
    asked_ = asked_ % 7 + 1;
    for (int n = 0; n < asked_; ++n)
      self.ask(
          to_, load{}, [](auto&, int) {}, [](auto&, const tact::failure&) {});
    if (goes_on) self.send_after(20ms, self.ref(), tick{});
  }

 private:
  const tact::ref<To> to_;
  int asked_ = 0;
};

class spider;
class page : public tact::actor<page, fetch> {
 public:
  explicit page(tact::ref<spider> to) : to_(to) {}
  void receive(tact::self<page>& self, const fetch&);

 private:
  const tact::ref<spider> to_;
};
// Sends a thousand messages at a time, and the next thousand when those before were answered.
class spider : public tact::actor<spider, tick, found> {
 public:
  void receive(tact::self<spider>& self, const tick&) {
    while (pages_.size() != 100) pages_.push_back(self.template spawn<page>(self.ref()));
    for (int n = 0; n < 1000; ++n) self.send(pages_[static_cast<std::size_t>(n) % pages_.size()], fetch{});
  }
  void receive(tact::self<spider>& self, const found&) {
    if (++found_ % 1000 == 0 && goes_on && !is_ill) self.send_after(1ms, self.ref(), tick{});
  }

 private:
  std::vector<tact::ref<page>> pages_;
  unsigned found_ = 0;
};
void page::receive(tact::self<page>& self, const fetch&) { self.send(to_, found{}); }

// It is at the first message up to the end.
class fetcher : public tact::actor<fetcher, fetch> {
 public:
  void receive(tact::self<fetcher>&, const fetch&) {
    while (goes_on) goes_on.wait(true);
  }
};
class crawler : public tact::actor<crawler, tick> {
 public:
  explicit crawler(tact::ref<fetcher> to) : to_(to) {}
  void receive(tact::self<crawler>& self, const tick&) {
    for (int n = 0; n < 100; ++n) self.send(to_, fetch{});
    if (goes_on) self.send_after(5ms, self.ref(), tick{});
  }

 private:
  const tact::ref<fetcher> to_;
};

}  // namespace house

int main() {
  using namespace house;
  tact::engine_options options;
  options.workers = 2;
  options.workers_rest = false;
  options.on_failure = [](const tact::failure_report&) {};
  tact::engine engine(options);
  tact::inspect::live_page page(engine);
  std::cout << page.url() << std::endl;
  for (std::string word; std::cin >> word && word != "end";) {
    if (word == "well") {
      engine.send(engine.spawn<client<clerk>>(engine.spawn<clerk>()), tick{});
      engine.send(engine.spawn<spider>(), tick{});
    }
    if (word == "ill") {
      is_ill = true;
      const auto old = engine.spawn<safe>(tact::named("the old safe"));
      engine.send(engine.spawn<client<safe>>(old), tick{});
      for (int n = 0; n < 3; ++n)
        engine.ask(
            old, load{}, [](auto&& f) { f(); }, [](int) {}, [](const tact::failure&) {});
      engine.send(engine.spawn<client<wall>>(engine.spawn<wall>()), tick{});
      engine.send(engine.spawn<crawler>(engine.spawn<fetcher>(tact::blocking)), tick{});
    }
    std::cout << word << std::endl;
  }
  goes_on = false;
  goes_on.notify_all();
}
