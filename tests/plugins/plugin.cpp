// A plug-in that works with the engine of the program that has loaded it.
#include "plugins/shop.hpp"

namespace tact::plugin_tests {
namespace {

struct secret {
  int value;
};

template <class Local>
int value_in(const context& c) {
  const auto* const found = c.find<Local>();
  return found == nullptr ? -1 : found->value;
}

int deliver_to(engine& e, const ref<desk> to, const ref<intake> part_of_it) {
  part_of_it | parcel{3} | crate{{}, 4};
  return e.ask(to, weigh{});
}

}  // namespace

extern "C" [[gnu::visibility("default")]] plugin_calls plugin() {
  struct local {
    int value;
  };
  return {
      .open = [](engine& e, const registry& names, const char* name) { names.add(name, e.create(open_desk(100))); },
      .deliver = [](engine& e, const registry& names,
                    const char* name) { return deliver_to(e, names.find<desk>(name), names.find<intake>(name)); },
      .await = [](engine& e, const registry& names,
                  const char* name) { return deliver_to(e, names.await<desk>(e, name), names.await<intake>(e, name)); },
      .ask_for_another = [](const registry& names, const char* name) -> std::string {
        try {
          (void)names.find<another_desk>(name);
        } catch (const usage_error& e) {
          return e.what();
        }
        return "no exception";
      },
      .order_number_in = &value_in<order_number>,
      .secret_in = &value_in<secret>,
      .local_in = &value_in<local>,
      .with_order_number = [](const context& c, int value) { return c.with(order_number{value}); },
      .weight_of_failed =
          [](const failure_report& r) {
            if (const auto* const m = r.message_as<parcel>()) return m->weight;
            if (const auto* const m = r.message_as<crate>()) return m->weight;
            return -1;
          },
      .pass_to = [](engine& e, ref<intake> next) { return e.create(pass_to(next)); },
      .attach =
          [](engine& e, clerk& c) {
            try {
              e.attach(c);
            } catch (const usage_error&) {
              return false;
            }
            return true;
          },
  };
}

}  // namespace tact::plugin_tests
