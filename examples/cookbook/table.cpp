// An actor whose state is a table: a reader keeps a version while the actor goes on.
#include <string>
#include <tact/data/map.hpp>
#include <tact/tact.hpp>

using ages = tact::map<std::string, int>;

struct birthday {
  std::string name;
};
struct all_ages {
  using reply = ages;
};
struct register_office : tact::protocol<birthday, tact::request<all_ages>> {};

static tact::behavior<register_office> with(const ages& now) {
  return {[=](tact::self<register_office>& self, const birthday& m) {
            const auto known = now.find(m.name);
            self.become(with(now.insert_or_assign(m.name, known == now.end() ? 0 : known->second + 1)));
          },
          [=](auto& self, const tact::request<all_ages>& m) { self.reply(m, now); }};
}

int main() {
  tact::engine engine;
  const auto office = engine.create(with({{"Ada", 35}, {"Alan", 41}}));
  const ages before = engine.ask(office, all_ages{});
  office | birthday{"Ada"} | birthday{"Grace"};
  engine.wait_idle();
  const ages after = engine.ask(office, all_ages{});
  int changed = 0;
  tact::diff(before, after, [&](const auto&) { ++changed; });
  return before.size() == 2 && before.at("Ada") == 35 && after.at("Ada") == 36 && changed == 2 ? 0 : 1;
}
