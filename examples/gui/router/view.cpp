#include "view.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace router {
namespace {

void pass_on(tact::self<view>& self, const delivery& m, trail way, tact::ref<command> document) {
  const std::size_t target = m.path->size() - 1;
  if (m.phase == phase::capture) {
    const phase next = m.at + 1 == target ? phase::target : phase::capture;
    return self.send((*m.path)[m.at + 1], delivery{m.what, m.path, m.at + 1, next, way});
  }
  if (m.at == 0) return self.send(document, command{.last = m.what, .way = way});
  self.send((*m.path)[m.at - 1], delivery{m.what, m.path, m.at - 1, phase::bubble, way});
}

}  // namespace

tact::behavior<view> make_view(const std::string& name, std::vector<interest> interests, tact::ref<command> document) {
  const auto all = std::make_shared<const std::vector<interest>>(std::move(interests));
  return {[all, document, me = node_of(name)](tact::self<view>& self, const delivery& m) {
    const trail way = m.way.then(me);
    for (const interest& i : *all) {
      if (i.in == m.phase && i.takes(*m.what)) return self.send(i.recogniser, input{m.what, way});
    }
    pass_on(self, m, way, document);
  }};
}

}  // namespace router
