// A type is the same in all libraries of a process, wherever each of them keeps what it knows of the type.
#include <dlfcn.h>

#include "plugins/shop.hpp"
#include "support/catch.hpp"

namespace tact::plugin_tests {
namespace {

using Catch::Matchers::Contains;

struct secret {
  int value;
};

class loaded {
 public:
  explicit loaded(const char* file) : library_(::dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) FAIL(::dlerror());
  }
  loaded(const loaded&) = delete;
  loaded& operator=(const loaded&) = delete;
  ~loaded() { ::dlclose(library_); }

  [[nodiscard]] plugin_calls calls() const {
    void* const found = ::dlsym(library_, "plugin");
    if (found == nullptr) FAIL(::dlerror());
    return reinterpret_cast<plugin_calls (*)()>(found)();
  }

 private:
  void* const library_;
};

// Calls `check` with each plug-in: of hidden and of visible symbols, and compiled without type information.
template <class Check>
void with_each_plugin(const Check& check) {
  for (const char* const file : {PLUGIN_HIDDEN, PLUGIN_VISIBLE, PLUGIN_WITHOUT_RTTI}) {
    INFO(file);
    const loaded library(file);
    check(library.calls());
  }
}

}  // namespace

TEST_CASE("registry: a plug-in finds what the program has registered, and the other way round", "[plugins]") {
  with_each_plugin([](const plugin_calls& plugin) {
    engine e({.workers = 2});
    const registry names(e);
    names.add("of the program", e.create(open_desk(0)));
    CHECK(plugin.deliver(e, names, "of the program") == 7);
    CHECK(plugin.await(e, names, "of the program") == 14);

    plugin.open(e, names, "of the plug-in");
    CHECK(e.ask(names.find<desk>("of the plug-in"), weigh{}) == 100);
    CHECK(e.ask(names.await<request<weigh>>(e, "of the plug-in"), weigh{}) == 100);
    CHECK_THROWS_WITH(names.find<another_desk>("of the plug-in"), Contains("registered as ref<desk>"));
    CHECK_THAT(plugin.ask_for_another(names, "of the program"), Contains("does not narrow to ref<another_desk>"));
  });
}

TEST_CASE("context: a value is found by its type in a plug-in and in the program", "[plugins]") {
  with_each_plugin([](const plugin_calls& plugin) {
    const context mine = context().with(order_number{7});
    CHECK(plugin.order_number_in(mine) == 7);
    CHECK(plugin.order_number_in(context()) == -1);
    const context theirs = plugin.with_order_number(mine, 8);
    REQUIRE(theirs.find<order_number>() != nullptr);
    CHECK(theirs.find<order_number>()->value == 8);
  });
}

TEST_CASE("type_key: a type in an anonymous namespace, or inside a function, is one of its library", "[plugins]") {
  struct local {
    int value;
  };
  with_each_plugin([](const plugin_calls& plugin) {
    const context mine = context().with(secret{1}).with(local{2});
    CHECK(mine.find<secret>() != nullptr);
    CHECK(mine.find<local>() != nullptr);
    CHECK(plugin.secret_in(mine) == -1);
    CHECK(plugin.local_in(mine) == -1);
  });
}

TEST_CASE("failure_report: a plug-in sees the message of the program that failed", "[plugins]") {
  with_each_plugin([](const plugin_calls& plugin) {
    std::vector<int> weights;
    engine e(
        {.workers = 1, .on_failure = [&](const failure_report& r) { weights.push_back(plugin.weight_of_failed(r)); }});
    const ref<desk> a = e.create(behavior<desk>{[](auto&, const auto&) { throw std::runtime_error("refused"); }});
    a | parcel{5} | crate{{}, 6};
    e.drain();
    CHECK(weights == std::vector<int>{5, 6});
  });
}

TEST_CASE("pass_on: an actor of a plug-in passes on the messages of the program", "[plugins]") {
  with_each_plugin([](const plugin_calls& plugin) {
    engine e({.workers = 2});
    const ref<desk> a = e.create(open_desk(0));
    plugin.pass_to(e, a) | parcel{1} | crate{{}, 2};
    e.wait_idle();
    CHECK(e.ask(a, weigh{}) == 3);
  });
}

#if !defined(NDEBUG)
TEST_CASE("attach: a plug-in is told that the program has attached the object", "[plugins]") {
  with_each_plugin([](const plugin_calls& plugin) {
    engine e({.workers = 1});
    clerk object;
    e.attach(object);
    CHECK_FALSE(plugin.attach(e, object));
    e.drain();
  });
}
#endif

}  // namespace tact::plugin_tests
