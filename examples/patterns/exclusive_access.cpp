// A print shop: two printers that print one page at a time, parcels for whoever is free, a key that one person has at a
// time, a price list with many readers, and a counter that is closed over lunch.
#include <atomic>
#include <chrono>
#include <future>
#include <string>
#include <tact/future.hpp>
#include <tact/patterns.hpp>
#include <tact/tact.hpp>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

struct page {
  using reply = std::string;
  std::string text;
};

tact::behavior<tact::request<page>> printer() {
  return {[](auto& self, const tact::request<page>& m) { self.reply(m, "printed: " + m.body.text); }};
}

struct parcel {
  int labels;
};

// Parcels wait until somebody is free to stick labels on; nobody waits for them.
bool labels_all_parcels(tact::engine& engine) {
  std::atomic<int> labelled = 0;
  const auto open_desk = [&] {
    return engine.create(
        tact::behavior<tact::request<tact::queued_work<parcel>>>{[&labelled](auto& self, const auto& m) {
          labelled += m.body.item().labels;
          self.reply(m);
        }});
  };
  const auto parcels = engine.create(tact::work_queue<parcel>({open_desk(), open_desk()}));
  for (int labels = 1; labels != 4; ++labels) engine.send(parcels, parcel{labels});
  engine.wait_idle();
  return labelled == 6;
}

// A cat that is let in when it is time: until then it waits, with whoever comes behind it.
struct let_in {
  using reply = int;
};
struct time_has_come {};
struct cat_flap : tact::protocol<tact::request<let_in>, time_has_come> {};

tact::behavior<cat_flap> open_flap(int inside = 0) {
  return {
      [=](tact::self<cat_flap>& self, const tact::request<let_in>& m) {
        self.become(open_flap(inside + 1));
        self.reply(m, inside + 1);
      },
      [](auto&, const time_has_come&) {},
  };
}
tact::behavior<cat_flap> shut_flap(tact::stash<cat_flap> waiting = {}) {
  return {
      [=](tact::self<cat_flap>& self, const tact::request<let_in>& m) { self.become(shut_flap(waiting.put(self, m))); },
      [=](tact::self<cat_flap>& self, const time_has_come&) {
        self.become(open_flap());
        waiting.give_back_in_front(self);
      },
  };
}

int main() {
  int wrong = 0;
  tact::engine engine;

  // Pages go to whichever printer is free; a third printer is bought when two are not enough.
  const auto printers = engine.create(tact::pool<page>(
      [](tact::transaction& tx) -> tact::ref<tact::request<page>> { return tx.create(printer()); }, {.members = 3}));
  for (const char* text : {"one", "two", "three"}) {
    wrong += engine.ask(printers, page{text}) != std::string("printed: ") + text;
  }

  wrong += !labels_all_parcels(engine);

  // Threads have the key of the safe one after the other; a thread that forgot to give it back would lose it in a
  // minute.
  const auto keys = engine.create(tact::ticket_office(1min));
  int in_safe = 0;
  std::vector<std::thread> people;
  for (int i = 0; i < 4; ++i) {
    people.emplace_back([&] {
      const tact::ticket key = engine.ask(keys, tact::ticket_lease{});
      ++in_safe;
      engine.send(key, tact::give_back{});
    });
  }
  for (auto& p : people) p.join();
  wrong += in_safe != 4;

  // Two read the price list together; who wants to change it waits for both.
  const auto lock = engine.create(tact::read_write_lock(1min));
  const tact::ticket first = engine.ask(lock, tact::read_lease{});
  const tact::ticket second = engine.ask(lock, tact::read_lease{});
  auto writing = engine.ask_future(lock, tact::write_lease{});
  engine.wait_idle();
  wrong += writing.wait_for(0s) == std::future_status::ready;
  first | tact::give_back{};
  second | tact::give_back{};
  writing.get() | tact::give_back{};

  // The counter is closed: nothing reaches it. Then it goes on with what has come.
  std::atomic<int> served = 0;
  const auto counter = engine.create(tact::behavior<int>{[&](auto&, int customer) { served += customer; }});
  const auto door = engine.create(tact::suspendable<int>(counter));
  engine.ask(door, tact::suspend_delivery{});
  door | 1 | 2;
  engine.wait_idle();
  wrong += served != 0;
  engine.ask(door, tact::resume_delivery{});
  engine.wait_idle();
  wrong += served != 3;

  // The cat is answered when it has been let in.
  const auto flap = engine.create(shut_flap());
  engine.send_after(1ms, flap, time_has_come{});
  wrong += engine.ask(flap, let_in{}) != 1;
  return wrong;
}
