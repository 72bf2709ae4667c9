// What handlers do by on_commit: the effects of an actor that handles one message at a time run in order, before its
// next message, and never two at once.
#include <stdexcept>
#include <vector>

#include "support/engine_fixture.hpp"

namespace effects_test {

namespace {

using namespace tact;
using namespace tact::support;

struct tick {
  unsigned turn = 0;
};
struct look {
  using reply = unsigned;
};
struct query {
  using reply = unsigned;
};
struct writer : protocol<tick, request<look>> {};

// What only the effects of one actor, and its handlers, touch; without a lock.
struct book {
  std::vector<unsigned> pages{};
  unsigned wrong = 0;
  bool is_open = false;  // an effect runs

  void write(unsigned page) {
    wrong += is_open;
    is_open = true;
    wrong += page != pages.size();
    pages.push_back(page);
    is_open = false;
  }
};

// Each message writes two pages by effects, behind those of all messages before.
behavior<writer> open_writer(book& b) {
  return {[&b](self<writer>& me, const tick&) {
            const auto next = static_cast<unsigned>(b.pages.size());
            b.wrong += next % 2;
            me.on_commit([&b, next] { b.write(next); });
            me.on_commit([&b, next](transaction&) { b.write(next + 1); });
            b.wrong += b.pages.size() != next;  // not before the commit
            me.become(open_writer(b));
          },
          [&b](auto& me, const request<look>& m) { me.reply(m, static_cast<unsigned>(b.pages.size())); }};
}

class clerk : public actor<clerk, tick, request<look>> {
 public:
  explicit clerk(book& b) : book_(&b) {}
  void receive(self<clerk>& me, const tick&) {
    const auto next = static_cast<unsigned>(book_->pages.size());
    book_->wrong += next % 2;
    me.on_commit([b = book_, next] { b->write(next); });
    me.on_commit([b = book_, next] { b->write(next + 1); });
  }
  void receive(self<clerk>& me, const request<look>& m) { me.reply(m, static_cast<unsigned>(book_->pages.size())); }

 private:
  book* book_;
};

// Asks between two effects: the first one runs before the answer comes.
behavior<writer> open_waiting_writer(book& b, ref<request<query>> echo) {
  return {[&b, echo](self<writer>& me, const tick&) {
            const auto next = static_cast<unsigned>(b.pages.size());
            me.on_commit([&b, next] { b.write(next); });
            static_cast<void>(me.ask(echo, query{}));
            b.wrong += b.pages.size() != next + 1;
            me.on_commit([&b, next] { b.write(next + 1); });
          },
          [&b](auto& me, const request<look>& m) { me.reply(m, static_cast<unsigned>(b.pages.size())); }};
}

constexpr unsigned senders = 3;
constexpr unsigned writers = 24;

template <class Refs>
void send_from_threads(engine& e, const Refs& all, unsigned each) {
  on_threads(senders, [&](unsigned) {
    for (unsigned n = 0; n < each; ++n) {
      for (const auto& to : all) e.send(to, tick{});
    }
  });
}

template <class Ref = ref<writer>, class Make>
void all_write_in_order(unsigned workers, Make make) {
  const nothing_left left;
  std::vector<book> books(writers);
  const auto each = static_cast<unsigned>(scaled(3'000)) / 3 + 1;
  {
    engine e(quiet_options(workers));
    std::vector<Ref> all;
    for (book& b : books) all.push_back(make(e, b));
    send_from_threads(e, all, each);
    require_idle(e);
    for (const auto to : all) CHECK(e.ask(to, look{}) == 2 * senders * each);
  }
  for (const book& b : books) CHECK(b.wrong == 0);
}

}  // namespace

TEST_CASE("on_commit: effects of an ordered actor run in order, before its next message, and never two at once",
          "[law4][law5]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  all_write_in_order(workers, [](engine& e, book& b) { return e.create(open_writer(b)); });
}

TEST_CASE("on_commit: effects of a heavy, a blocking and a limited actor run in order", "[law4][law5]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  all_write_in_order(workers, [n = 0](engine& e, book& b) mutable -> ref<writer> {
    switch (n++ % 6) {
      case 0:
        return e.create(open_writer(b), blocking);
      case 1:
        return e.create(open_writer(b), heavy);
      case 2:
        return e.create(open_writer(b), mailbox_limit{.messages = 1'000'000});
      default:
        return e.create(open_writer(b));
    }
  });
}

TEST_CASE("on_commit: effects of a classic actor run in order, before its next message, and never two at once",
          "[law4][law5]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  all_write_in_order<ref<clerk>>(workers, [](engine& e, book& b) { return e.spawn<clerk>(b); });
}

TEST_CASE("on_commit: an effect of a handler that waits runs before the answer comes", "[law4][law5]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  all_write_in_order(workers, [](engine& e, book& b) {
    const ref<request<query>> echo =
        e.create(behavior<request<query>>{[](auto& me, const request<query>& m) { me.reply(m, 1U); }}, parallel);
    return e.create(open_waiting_writer(b, echo));
  });
}

TEST_CASE(
    "on_commit: effects of an effect come behind those that are there, and one that throws or waits holds up none",
    "[law4][law5]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  std::vector<int> order;
  unsigned failures = 0;
  {
    auto o = quiet_options(workers);
    o.on_failure = [&failures](const failure_report&) { ++failures; };
    engine e(o);
    const ref<request<query>> echo =
        e.create(behavior<request<query>>{[](auto& me, const request<query>& m) { me.reply(m, 7U); }});
    const auto a = e.create(behavior<tick>{[&order, echo](self<tick>& me, const tick&) {
      me.on_commit([&order](transaction& tx) {
        order.push_back(1);
        tx.on_commit([&order] { order.push_back(5); });
      });
      me.on_commit([&order, echo](transaction& tx) {
        order.push_back(2);
        order.push_back(static_cast<int>(tx.ask(echo, query{})));
      });
      me.on_commit([&order] {
        order.push_back(3);
        throw std::runtime_error("an effect throws");
      });
      me.on_commit([&order] { order.push_back(4); });
      order.push_back(0);
    }});
    for (int n = 0; n < 20; ++n) {
      order.clear();
      e.send(a, tick{});
      require_idle(e);
      CHECK(order == std::vector<int>{0, 1, 2, 3, 4, 5, 7});
    }
  }
  CHECK(failures == 20);
}

TEST_CASE("on_commit: a run that is discarded has no effects", "[law2]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  std::vector<int> order;
  {
    auto o = quiet_options(workers);
    o.on_failure = [](const failure_report&) {};
    engine e(o);
    const auto a = e.create(behavior<tick>{[&order](self<tick>& me, const tick& m) {
      me.on_commit([&order, n = m.turn] { order.push_back(static_cast<int>(n)); });
      if (m.turn % 2 == 1) throw std::runtime_error("odd");
      if (m.turn % 3 == 1) me.discard();
    }});
    for (unsigned n = 0; n < 9; ++n) e.send(a, tick{n});
    require_idle(e);
  }
  CHECK(order == std::vector<int>{0, 2, 6, 8});
}

}  // namespace effects_test
