#include "actors/life/creations.hpp"

#include <memory>
#include <utility>

#include "actors/cells/actor_names.hpp"
#include "actors/cells/closures.hpp"
#include "actors/cells/metadata.hpp"
#include "actors/cells/sites.hpp"
#include "actors/sending/admission.hpp"
#include "actors/staging/reclaimer.hpp"

namespace tact::actors {

creations::creations(run_state& r, outside_creations& outside, bool notes_sites)
    : run_(r),
      cells_(r.cells()),
      apart_from_(r.worker().is_loop() ? placement::parallel : placement::heavy),
      outside_(outside),
      notes_sites_(notes_sites) {}

inline port creations::create(run_state& run, closure* first, mailbox::route::kind kind, placement where,
                              const loop_place& loop) {
  const bool is_in_run = where < apart_from_ && kind == mailbox::route::kind::exclusive;
  return is_in_run ? create_in_run(run, first) : create_single(run, first, kind, where, loop);
}

inline port creations::create_in_run(run_state& run, closure* first) {
  const std::uint32_t home = next_home(run);
  const mailbox::route where(home, run.engine_number(), mailbox::route::kind::exclusive);
  if (run.journal().is_full() || !cells_.in_runs.has(home)) [[unlikely]]
    make_room(first, where);
  cell& c = cells_.in_runs.take(home);
  c.set_where_in_run(where);
  run.journal().create({port_of(c), first});
  return port_of(c);
}

[[gnu::noinline]] void creations::make_room(closure* first, mailbox::route where) {
  try {
    if (run_.journal().is_full()) run_.journal().make_room_for_creation();
    if (!cells_.in_runs.has(where.shard())) cells_.in_runs.refill(where, office_of(where.shard()));
  } catch (...) {
    if (first != nullptr) end_closure(*first, allocation::finished);
    throw;
  }
}

std::uint32_t creations::office_of(std::uint32_t shard) const noexcept {
  return run_.workers().mail().shard_at(shard).office;
}

inline port creations::create_single(run_state& run, closure* first, mailbox::route::kind kind, placement where,
                                     const loop_place& loop) {
  if (where >= apart_from_ || run.journal().is_full() || cells_.single.empty()) [[unlikely]]
    return create_rare(first, kind, where, loop);
  return create_at(run, next_home(run), first, kind);
}

port creations::create(run_state& run, closure& first, placement where) {
  const behavior_type& type = *first.type;
  const port at = create(run, &first, kind_of(type.kind, where), where);
  if (type.kind == actor_kind::once || type.is_of_ask) note_asker(at);
  return at;
}

port creations::reserve(run_state& run, placement where) {
  return create(run, nullptr, kind_of(actor_kind::transactional, where), where);
}

port creations::create(closure* first, actor_kind kind, creation_options&& about) {
  const placement where = about.where;
  const creation_site made_at = about.made_at;
  const bool in_scope = about.scope != nullptr;
  const bool has_mailbox = about.has_mailbox();
  const mailbox_limit limit = about.limit;
  mailbox_order order = about.order;
  const loop_place about_loop = about.loop;
  std::unique_ptr<metadata> metadata;
  try {
    metadata = draw_up(std::move(about));
    if (in_scope) made_in_scopes_.prepare_push();  // behind the creation nothing may throw: the scope would forget it
    if (has_mailbox) {
      if (cells_.single.empty()) cells_.single.refill();
      prepare_mailbox(cells_.single.next());
    }
  } catch (...) {
    if (first != nullptr) end_closure(*first, allocation::finished);
    throw;
  }
  const auto its_kind = kind_of(kind, where);
  const port at = has_mailbox ? create_single(run_, first, its_kind, where, about_loop)
                              : create(run_, first, its_kind, where, about_loop);
  if (notes_sites_) note_site(cell_of(at), made_at);
  if (metadata != nullptr) file(cell_of(at), std::move(metadata));
  if (has_mailbox) open_mailbox(cell_of(at), limit, std::move(order));
  if (in_scope) {
    run_.journal().note_other();
    made_in_scopes_.push_back(at);
  }
  return at;
}

// Creates an actor where that may throw: the journal is full, there is no free cell, or the placement is special.
port creations::create_rare(closure* first, mailbox::route::kind kind, placement where, const loop_place& loop) {
  try {
    if (run_.journal().is_full()) run_.journal().make_room_for_creation();
    if (cells_.single.empty()) cells_.single.refill();
    return where >= apart_from_ ? create_apart(first, kind, where, loop)
                                : create_at(run_, next_home(run_), first, kind);
  } catch (...) {
    if (first != nullptr) end_closure(*first, allocation::finished);
    throw;
  }
}

port creations::create_apart(closure* first, mailbox::route::kind kind, placement where, const loop_place& loop) {
  // The answer to a question that is asked on a loop's thread is handled on that thread.
  if (kind == mailbox::route::kind::one_shot)
    return create_for_once(run_.at().shard().number, first, mailbox::route::kind::exclusive);
  if (where == placement::blocking) blocking_homes_.reserve(blocking_homes_.size() + 1);
  const auto home = outside_.reserved_home(where, loop);
  if (home && where == placement::blocking) {
    blocking_homes_.push_back(*home);
    run_.journal().note_other();
  }
  return create_at(run_, home ? *home : next_home(run_), first, kind);
}

inline port creations::create_at(run_state& run, std::uint32_t home, closure* first,
                                 mailbox::route::kind kind) noexcept {
  cell& c = cells_.single.take();
  c.set_where({home, run.engine_number(), kind});
  run.journal().create({port_of(c), first});
  return port_of(c);
}

// The actor is gone after one message. Whichever thread sends to it, an exclusive one is run in the shard `home`.
port creations::create_for_once(std::uint32_t home, closure* first, mailbox::route::kind kind) noexcept {
  cell& c = cells_.single.take();
  const mailbox::route r(home, run_.engine_number(), kind);
  c.set_where(r.for_once());
  c.send_by(r);
  run_.journal().create({port_of(c), first});
  return port_of(c);
}

port creations::create_waiter(std::uint32_t home, mailbox::route::kind kind) {
  if (run_.journal().is_full()) run_.journal().make_room_for_creation();
  if (cells_.single.empty()) cells_.single.refill();
  const port at = create_for_once(home, nullptr, kind);
  note_asker(at);
  return at;
}

port creations::create_beside(closure& effect) {
  const mailbox::route own = cell_of(handled_port(run_)).where();
  const auto kind = kind_of(actor_kind::once, placement::parallel);
  if (!own.is_exclusive()) {
    const port at = create(run_, &effect, kind, placement::parallel);
    note_asker(at);
    return at;
  }
  try {
    if (run_.journal().is_full()) run_.journal().make_room_for_creation();
    if (cells_.single.empty()) cells_.single.refill();
  } catch (...) {
    end_closure(effect, allocation::finished);
    throw;
  }
  const port at = create_for_once(own.shard(), &effect, mailbox::route::kind::exclusive);
  note_asker(at);
  return at;
}

void creations::note_asker(port made) noexcept {
  const port self = handled_port(run_);
  cell_of(made).set_asked_by(self <= index_mask ? nullptr : asker_in(cell_of(self)));
}

void creations::install(port at, closure& first) {
  if (run_.journal().install(at, first)) return;
  end_closure(first, allocation::finished);
  throw usage_error(
      "create_group: the function that makes the behaviours called discard, which forgot their addresses");
}

void creations::commit_rare(admission& limits, reclaimer& frees) noexcept {
  for (const auto& made : run_.journal().creations()) {
    if (made.behavior != nullptr) continue;
    limits.tear_up(cell_of(made.address));
    frees.give_up(cell_of(made.address));
  }
  for (const std::uint32_t home : blocking_homes_) run_.workers().homes().home_is_used(home);
  blocking_homes_.clear();
  for (; !made_in_scopes_.empty(); made_in_scopes_.pop_front()) {
    cell& made = cell_of(made_in_scopes_.front());
    if (made.has_metadata()) exist_in_scope(made, [] {});
  }
}

void creations::forget() noexcept {
  blocking_homes_.clear();
  made_in_scopes_.clear();
}

}  // namespace tact::actors
