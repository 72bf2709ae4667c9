// Parcels are packed at night, while the carrier whose office is closed has not said yet what each of them costs. The
// price goes with the parcel as an eventual, a value that comes later: the packer does not need it, and the cashier,
// who does, is told when it is there. A parcel that the carrier refuses has a failure in the place of a price.
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <tact/patterns/eventual.hpp>
#include <tact/patterns/stash.hpp>
#include <tact/tact.hpp>

namespace {

struct price_of {
  using reply = long;
  int grams;
};
struct open_office {};
struct carrier : tact::protocol<tact::request<price_of>, open_office> {};

tact::behavior<carrier> opened() {
  return {
      [](tact::self<carrier>& self, const tact::request<price_of>& m) {
        if (m.body.grams > 30'000) throw std::invalid_argument("it is too heavy");
        self.reply(m, 500 + m.body.grams / 10);
      },
      [](auto&, const open_office&) {},
  };
}
tact::behavior<carrier> closed(const tact::stash<carrier>& waiting = {}) {
  return {
      [=](tact::self<carrier>& self, const tact::request<price_of>& m) { self.become(closed(waiting.put(self, m))); },
      [=](tact::self<carrier>& self, const open_office&) {
        self.become(opened());
        waiting.give_back_in_front(self);
      },
  };
}

struct order {
  std::string customer;
  int grams;
};
struct parcel {
  order content;
  tact::ref<tact::request<tact::value_of<long>>> price;
};
struct bill {
  std::string customer;
  std::string text;
};

// Asks for the price, and does not wait for it.
tact::behavior<order> hire_clerk(tact::ref<carrier> by, tact::ref<parcel> packer) {
  return {[=](tact::self<order>& self, const order& m) {
    self.send(packer, parcel{m, tact::ask_eventually(self, by, price_of{m.grams})});
  }};
}
// Is done with a parcel whatever it costs.
tact::behavior<parcel> hire_packer(tact::ref<parcel> cashier, int& packed) {
  return {[cashier, &packed](tact::self<parcel>& self, const parcel& m) {
    self.on_commit([&packed] { ++packed; });
    self.send(cashier, m);
  }};
}
tact::behavior<parcel> hire_cashier(tact::ref<bill> bills) {
  return {[bills](tact::self<parcel>& self, const parcel& m) {
    self.ask(
        m.price, tact::value_of<long>{},
        [bills, to = m.content.customer](tact::transaction& tx, long cents) {
          tx.send(bills, bill{to, std::to_string(cents)});
        },
        [bills, to = m.content.customer](tact::transaction& tx, const tact::failure& f) {
          tx.send(bills, bill{to, f.what});
        });
  }};
}

}  // namespace

int main() {
  std::map<std::string, std::string> bills;  // only the actor below writes
  int packed = 0;
  tact::engine_options options;
  options.on_failure = [](const tact::failure_report&) {};  // what the carrier refuses is on a bill
  tact::engine engine(options);
  const auto desk = engine.create(tact::behavior<bill>{[&](auto&, const bill& m) { bills[m.customer] = m.text; }});
  const auto by = engine.create(closed());
  const auto packer = engine.create(hire_packer(engine.create(hire_cashier(desk)), packed));
  const auto clerk = engine.create(hire_clerk(by, packer));

  for (const auto& o : {order{"Ann", 2'000}, order{"Bob", 50'000}, order{"Cid", 700}}) engine.send(clerk, o);
  engine.wait_idle();
  std::printf("in the night %d parcels were packed, and %zu bills written\n", packed, bills.size());
  if (packed != 3 || !bills.empty()) return 1;

  engine.send(by, open_office{});
  engine.wait_idle();
  for (const auto& [customer, text] : bills) std::printf("%s: %s\n", customer.c_str(), text.c_str());
  return bills == std::map<std::string, std::string>{{"Ann", "700"}, {"Bob", "it is too heavy"}, {"Cid", "570"}} ? 0
                                                                                                                 : 1;
}
