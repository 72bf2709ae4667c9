#include "dispatcher.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "layout.hpp"

namespace router {
namespace {

struct state {
  std::shared_ptr<const layout> places;
  view_actors actors;
  std::size_t focus;
  std::optional<std::size_t> captured_by{};  // while buttons are pressed
  unsigned buttons = 0;                      // that are pressed, one bit each
};

std::size_t target_of(const state& s, const event& e) {
  switch (e.kind) {
    case event_kind::press:
    case event_kind::release:
    case event_kind::move:
      return s.captured_by ? *s.captured_by : view_at(*s.places, e.x, e.y);
    case event_kind::wheel:
    case event_kind::drop:
      return view_at(*s.places, e.x, e.y);
    case event_kind::key:
      return s.focus;
    case event_kind::timer:
      return index_of(*s.places, e.text);
    case event_kind::resize:
    case event_kind::focus:
    case event_kind::unfocus:
      break;
  }
  return 0;
}

state after(state s, const event& e, std::size_t target) {
  const unsigned button = 1U << static_cast<unsigned>(e.amount & 31);
  if (e.kind == event_kind::press) {
    s.buttons |= button;
    s.captured_by = target;
    if ((*s.places)[target].takes_focus) s.focus = target;
  } else if (e.kind == event_kind::release) {
    s.buttons &= ~button;
    if (s.buttons == 0) s.captured_by.reset();
  } else if (e.kind == event_kind::resize) {
    s.places = std::make_shared<const layout>(layout_of(e.x, e.y));
  }
  return s;
}

bool changes_state(event_kind k) noexcept {
  return k == event_kind::press || k == event_kind::release || k == event_kind::resize;
}

tact::behavior<dispatcher> dispatcher_with(state s) {
  return {[s](tact::self<dispatcher>& self, const event_ptr& e) {
    const std::size_t target = target_of(s, *e);
    std::vector<tact::ref<view>> path;
    for (const std::size_t v : path_to(*s.places, target)) path.push_back((*s.actors)[v]);
    const phase first = path.size() == 1 ? phase::target : phase::capture;
    const auto window = path.front();
    self.send(window, delivery{e, std::make_shared<const std::vector<tact::ref<view>>>(std::move(path)), 0, first,
                               trail().then(node_of("dispatcher"))});
    if (changes_state(e->kind)) self.become(dispatcher_with(after(s, *e, target)));
  }};
}

}  // namespace

tact::behavior<dispatcher> make_dispatcher(int width, int height, view_actors views) {
  const layout places = layout_of(width, height);
  return dispatcher_with({std::make_shared<const layout>(places), std::move(views), index_of(places, "canvas")});
}

}  // namespace router
