// Messages, answers, actors and handlers whose classes have taken & and the comma for themselves, and the same of
// their namespace: the library takes addresses by std::addressof, and puts nothing of the user's before a comma.
#include <chrono>
#include <vector>

#include "tact/future.hpp"
#include "tact/tact.hpp"

namespace odd {

template <class T>
void operator&(T&&) = delete;
template <class T, class U>
void operator,(T&&, U&&) = delete;

struct small_one {
  long cents;
};
struct large_one {
  char text[100];
};
struct by_reference : tact::message {};
struct over_aligned {
  alignas(64) long cents;
};
struct throws_when_moved {
  throws_when_moved() = default;
  throws_when_moved(const throws_when_moved&) {}
};
struct answer {
  long cents;
};
struct query {
  using reply = answer;
};
struct all_of_them : tact::protocol<small_one, large_one, by_reference, over_aligned, throws_when_moved,
                                    tact::request<query>, tact::ended> {};

struct take_small final {
  void operator()(tact::self<all_of_them>& self, const small_one& m) const {
    self.send(self.ref(), m);
    self.monitor(self.ref());
    self.monitor(self.ref(), large_one{});
    self.ask(self.ref(), query{}, [](auto&, const answer&) {});
    self.ask(
        self.ref(), query{}, std::chrono::seconds(1), [](auto&, answer) {}, [](auto&, const tact::failure&) {});
    self.on_commit([] {});
    self.send_after(std::chrono::seconds(1), self.ref(), over_aligned{});
  }
};
struct take_large {
  void operator()(tact::transaction& tx, const large_one& m) const { tx.pass_on(tact::ref<large_one>(), m); }
};

inline tact::behavior<all_of_them> make() {
  return {take_small{}, take_large{},
          [](auto& self, const tact::request<query>& m) { self.reply(m, answer{self.ask(self.ref(), query{}).cents}); },
          [](auto&, const auto&) {}};
}

class classic : public tact::actor<classic, small_one, by_reference, tact::request<query>> {
 public:
  void receive(tact::self<classic>&, small_one) {}
  void receive(tact::self<classic>&, by_reference&) {}
  void receive(tact::self<classic>& self, const tact::request<query>& m) { self.reply(m, answer{1}); }
};

}  // namespace odd

void odd_types();
void odd_types() {
  tact::engine engine({.workers = 1});
  const tact::ref<odd::all_of_them> a = engine.create(odd::make());
  const odd::throws_when_moved copied;
  odd::by_reference sent;
  a | odd::small_one{1} | odd::large_one{} | sent | odd::over_aligned{} | copied;
  (void)engine.try_send(a, odd::large_one{});
  (void)engine.ask(a, odd::query{});
  (void)engine.ask_all(std::vector{a}, odd::query{});
  (void)engine.ask_future(a, odd::query{}).get();
  (void)engine.create(tact::forwarder(a));
  (void)engine.create(tact::serializer(tact::ref<tact::request<odd::query>>(a)));
  (void)engine.spawn<odd::classic>();
  odd::classic mine;
  (void)engine.attach(mine);
  engine.wait_idle();
}
