// Implements the functions by which actors are created, in a handler or at once.
#include <utility>

#include "actors/cells/closures.hpp"
#include "actors/cells/metadata.hpp"
#include "actors/cells/sites.hpp"
#include "actors/engine/core.hpp"
#include "actors/run/transactor.hpp"
#include "tact/detail/core.hpp"

namespace tact::detail {

using actors::cell;
using actors::cell_of;

// -- in a handler

port reserve(run& r, placement where) {
  actors::transactor& t = actors::transactor::of(r);
  return t.made().reserve(t, where);
}
port create(run& r, closure& first, placement where) {
  actors::transactor& t = actors::transactor::of(r);
  return t.made().create(t, first, where);
}
port create_beside(run& r, closure& effect) { return actors::transactor::of(r).made().create_beside(effect); }
port reserve(run& r, creation_options&& about) {
  return actors::transactor::of(r).made().create(nullptr, actor_kind::transactional, std::move(about));
}
port create(run& r, closure& first, creation_options&& about) {
  return actors::transactor::of(r).made().create(&first, first.type->kind, std::move(about));
}
void install(run& r, port at, closure& first) { actors::transactor::of(r).made().install(at, first); }

// -- at once

namespace {

port reserve_for(core& engine, actor_kind kind, placement where) {
  engine.look_whether_left_behind("creating an actor, or asking,");
  return engine.creations().reserve(actors::kind_of(kind, where), where, {});
}
port reserve_for(core& engine, actor_kind kind, creation_options&& about) {
  engine.look_whether_left_behind("creating an actor, or asking,");
  const placement where = about.where;
  const creation_site made_at = about.made_at;
  const bool has_mailbox = about.has_mailbox();
  const mailbox_limit limit = about.limit;
  mailbox_order order = about.order;
  const loop_place loop = about.loop;
  auto metadata = actors::draw_up(std::move(about));
  const port at = engine.creations().reserve(actors::kind_of(kind, where), where, loop, has_mailbox);
  if (has_mailbox) actors::open_mailbox(cell_of(at), limit, std::move(order));
  if (engine.options().report_alive) actors::note_site(cell_of(at), made_at);
  if (metadata != nullptr) actors::file(cell_of(at), std::move(metadata));
  return at;
}
// Ends the closure before it throws.
template <class How>
port reserve_for(core& engine, closure& first, How&& how) {
  try {
    return reserve_for(engine, first.type->kind, std::forward<How>(how));
  } catch (...) {
    actors::end_closure(first, allocation::finished);
    throw;
  }
}

}  // namespace

port create(core& engine, closure& first, placement where) {
  const port at = reserve_for(engine, first, where);
  engine.creations().create(cell_of(at), first);
  return at;
}
port create(core& engine, closure& first, creation_options&& about) {
  const port at = reserve_for(engine, first, std::move(about));
  install(engine, at, first);
  return at;
}
port reserve(core& engine, placement where) { return reserve_for(engine, actor_kind::transactional, where); }
port reserve(core& engine, creation_options&& about) {
  return reserve_for(engine, actor_kind::transactional, std::move(about));
}
void install(core& engine, port at, closure& first) {
  cell& c = cell_of(at);
  if (actors::scope_of(c) == nullptr) return engine.creations().create(c, first);
  actors::exist_in_scope(c, [&] { engine.creations().create(c, first); });
  engine.shutdown().sweep_late();
}
void abandon(core& engine, port reserved) noexcept {
  actors::tear_up(cell_of(reserved));
  engine.creations().abandon(cell_of(reserved));
}

}  // namespace tact::detail
