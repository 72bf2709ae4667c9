#include "page.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace router {
namespace {

point pointer_of(const command& c) { return {c.last->x, c.last->y}; }

page with_tool(page p, tool t) {
  p.tool = t;
  p.draft.reset();
  return p;
}

// A step that can be undone.
page with_picture(page p, picture next) {
  auto h = std::make_shared<history>(*p.history);
  h->past.push_back(p.picture);
  if (h->past.size() > undo_steps_max) h->past.erase(h->past.begin());
  h->future.clear();
  p.history = std::move(h);
  p.picture = std::make_shared<const picture>(std::move(next));
  return p;
}
page with_shape(page p, std::size_t at, shape changed) {
  picture next = *p.picture;
  next.shapes[at] = std::make_shared<const shape>(std::move(changed));
  return with_picture(std::move(p), std::move(next));
}
page with_new(page p, shape added) {
  picture next = *p.picture;
  next.shapes.push_back(std::make_shared<const shape>(std::move(added)));
  return with_picture(std::move(p), std::move(next));
}

page stepped(page p, bool back) {
  auto h = std::make_shared<history>(*p.history);
  auto& from = back ? h->past : h->future;
  auto& to = back ? h->future : h->past;
  if (from.empty()) return p;
  to.push_back(std::exchange(p.picture, from.back()));
  from.pop_back();
  p.history = std::move(h);
  p.selected.reset();
  p.draft.reset();
  return p;
}

page begun(page p, const command& c) {
  const point from{c.from_x, c.from_y};
  if (p.tool == tool::select) {
    p.selected = p.picture->shape_at(from);
    if (!p.selected) return p;
    const shape& s = *p.picture->shapes[*p.selected];
    const point offset{c.last->x - from.x, c.last->y - from.y};
    p.draft = std::make_shared<const draft>(draft{s.moved_by(offset), p.selected});
    return p;
  }
  const shape_kind kind = p.tool == tool::pen   ? shape_kind::line
                          : p.tool == tool::box ? shape_kind::box
                                                : shape_kind::oval;
  const polyline points = polyline().with(from).with(pointer_of(c));
  p.draft = std::make_shared<const draft>(draft{{.kind = kind, .width = p.width, .points = points}});
  return p;
}

page extended(page p, const command& c) {
  if (!p.draft) return p;
  draft next = *p.draft;
  shape& s = next.shape;
  if (next.moves) {
    s = p.picture->shapes[*next.moves]->moved_by({c.last->x - c.from_x, c.last->y - c.from_y});
  } else if (s.kind == shape_kind::line) {
    s.points = s.points.with(pointer_of(c));
  } else {
    s.points = polyline().with({c.from_x, c.from_y}).with(pointer_of(c));
  }
  p.draft = std::make_shared<const draft>(std::move(next));
  return p;
}

page finished(const page& before, const command& c) {
  page p = extended(before, c);
  if (!p.draft) return p;
  const auto done = std::exchange(p.draft, nullptr);
  return done->moves ? with_shape(std::move(p), *done->moves, done->shape) : with_new(std::move(p), done->shape);
}

page recoloured(page p, const command& c) {
  const auto at = p.picture->shape_at(pointer_of(c));
  if (!at) return p;
  shape s = *p.picture->shapes[*at];
  s.colour = (s.colour + 1) % colours;
  return with_shape(std::move(p), *at, std::move(s));
}
page without_shape(page p, const command& c) {
  const auto at = p.picture->shape_at(pointer_of(c));
  if (!at) return p;
  picture next = *p.picture;
  next.shapes.erase(next.shapes.begin() + static_cast<std::ptrdiff_t>(*at));
  p.selected.reset();
  p.draft.reset();  // it may move the shape that has gone
  return with_picture(std::move(p), std::move(next));
}

page with_caption(page p, std::string caption) {
  picture next = *p.picture;
  next.caption = std::move(caption);
  return with_picture(std::move(p), std::move(next));
}
page typed(page p, const std::string& key) {
  std::string caption = p.picture->caption;
  if (key == "BackSpace" && !caption.empty()) {
    caption.pop_back();
  } else if (key.size() == 1) {
    caption += key;
  }
  return caption == p.picture->caption ? p : with_caption(std::move(p), std::move(caption));
}

page with_text(page p, const command& c) {
  if (c.last->text.empty()) return p;
  return with_new(std::move(p),
                  {.kind = shape_kind::text, .points = polyline().with(pointer_of(c)), .text = c.last->text});
}

}  // namespace

page after(const page& before, const command& c) {
  page p = before;
  switch (c.what) {
    case action::nothing:
      return p;
    case action::point:
      p.pointer = pointer_of(c);
      return p;
    case action::choose_pen:
      return with_tool(std::move(p), tool::pen);
    case action::choose_box:
      return with_tool(std::move(p), tool::box);
    case action::choose_oval:
      return with_tool(std::move(p), tool::oval);
    case action::choose_select:
      return with_tool(std::move(p), tool::select);
    case action::undo:
      return stepped(std::move(p), true);
    case action::redo:
      return stepped(std::move(p), false);
    case action::begin:
      return begun(std::move(p), c);
    case action::extend:
      return extended(std::move(p), c);
    case action::finish:
      return finished(p, c);
    case action::draw:
      return finished(begun(std::move(p), c), c);
    case action::give_up:
      p.draft.reset();
      return p;
    case action::pick:
      p.selected = p.picture->shape_at(pointer_of(c));
      return p;
    case action::recolour:
      return recoloured(std::move(p), c);
    case action::remove:
      return without_shape(std::move(p), c);
    case action::widen:
      p.width = std::clamp(p.width - c.last->amount, 1, 20);
      return p;
    case action::place_text:
      return with_text(std::move(p), c);
    case action::type:
      return typed(std::move(p), c.last->text);
    case action::set_caption:
      return with_caption(std::move(p), c.last->text);
    case action::clear:
      p.selected.reset();
      p.draft.reset();
      return with_picture(std::move(p), {});
  }
  return p;
}

}  // namespace router
