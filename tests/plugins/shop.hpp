// What a program and its plug-ins know of each other: types, and the calls into a plug-in.
#pragma once

#include <array>
#include <string>

#include "tact/context.hpp"
#include "tact/engine.hpp"
#include "tact/patterns/registry.hpp"

namespace tact::plugin_tests {

struct parcel {
  int weight;
};
struct crate {  // does not lie in the queue itself
  std::array<char, 200> labels{};
  int weight = 0;
};
struct weigh {
  using reply = int;
};
struct intake : protocol<parcel, crate> {};
struct desk : protocol<intake, request<weigh>> {};
struct another_desk : protocol<parcel> {};

// The actor that stands for what a library makes of these types.
inline behavior<desk> open_desk(int total) {
  return {
      [total](auto& self, const parcel& m) { self.become(open_desk(total + m.weight)); },
      [total](auto& self, const crate& m) { self.become(open_desk(total + m.weight)); },
      [total](auto& self, const request<weigh>& m) { self.reply(m, total); },
  };
}

// Passes all parcels and crates on.
inline behavior<intake> pass_to(ref<intake> next) {
  return {
      [next](auto& self, const parcel& m) { self.pass_on(next, m); },
      [next](auto& self, const crate& m) { self.pass_on(next, m); },
  };
}

struct order_number {
  int value;
};

class clerk : public actor<clerk, parcel> {
 public:
  void receive(self<clerk>&, const parcel&) {}
};

// The calls into a plug-in, which another library than that of the program compiles.
struct plugin_calls {
  void (*open)(engine&, const registry&, const char* name);           // registers a desk of the plug-in
  int (*deliver)(engine&, const registry&, const char* name);         // sends the desk of that name 3 and 4, and weighs
  int (*await)(engine&, const registry&, const char* name);           // the same, once the name is there
  std::string (*ask_for_another)(const registry&, const char* name);  // what the exception says
  int (*order_number_in)(const context&);                             // -1: there is none
  int (*secret_in)(const context&);  // of a type in an anonymous namespace, which has the same name everywhere
  int (*local_in)(const context&);   // of a type inside a function, the same
  context (*with_order_number)(const context&, int value);
  int (*weight_of_failed)(const failure_report&);  // of a parcel or a crate; -1: it is another message
  ref<intake> (*pass_to)(engine&, ref<intake> next);
  bool (*attach)(engine&, clerk& c);  // false: it is attached already
};

}  // namespace tact::plugin_tests
