// Threads share a map without a mutex: they hand over functions, of which one at a time runs.
#include <map>
#include <string>
#include <tact/guarded.hpp>
#include <tact/tact.hpp>
#include <thread>

using table = std::map<std::string, int>;

int main() {
  tact::engine engine;
  const tact::guarded<table> stock = engine.guard(table{});
  const auto count_apples = [stock] {
    for (int i = 0; i < 100; ++i) stock([](table& t) { ++t["apples"]; });
  };
  std::jthread(count_apples).join();
  std::jthread(count_apples).join();
  return stock([](table& t) { return t["apples"]; }).get() == 200 ? 0 : 1;
}
