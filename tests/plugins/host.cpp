// Loads a plug-in that another compiler may have made, and works with it on one engine: plugin_host PLUGIN
#include <dlfcn.h>

#include <iostream>

#include "plugins/shop.hpp"

using namespace tact;
using namespace tact::plugin_tests;

int main(int, char** argv) {
  void* const library = ::dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  void* const found = library == nullptr ? nullptr : ::dlsym(library, "plugin");
  if (found == nullptr) {
    std::cerr << ::dlerror() << '\n';
    return 1;
  }
  const plugin_calls plugin = reinterpret_cast<plugin_calls (*)()>(found)();
  int failed_weight = 0;
  engine e({.workers = 2, .on_failure = [&](const failure_report& r) { failed_weight = plugin.weight_of_failed(r); }});
  const registry names(e);
  names.add("program", e.create(open_desk(0)));
  plugin.open(e, names, "plug-in");
  e.create(behavior<parcel>{[](auto&, const parcel&) { throw std::runtime_error("refused"); }}) | parcel{5};
  e.wait_idle();
  // 7 + 100 + 8 + 5
  std::cout << plugin.deliver(e, names, "program") + e.ask(names.find<desk>("plug-in"), weigh{}) +
                   plugin.order_number_in(context().with(order_number{8})) + failed_weight
            << '\n';
}
