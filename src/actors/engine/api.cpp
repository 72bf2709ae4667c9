// Implements the functions of tact/detail/core.hpp, through which the typed headers call the core.
#include <utility>

#include "actors/cells/closures.hpp"
#include "actors/cells/metadata.hpp"
#include "actors/cells/sites.hpp"
#include "actors/common/this_thread.hpp"
#include "actors/common/visit.hpp"
#include "actors/engine/core.hpp"
#include "actors/engine/ends.hpp"
#include "actors/failure/core_messages.hpp"
#include "actors/failure/customers.hpp"
#include "actors/run/transactor.hpp"
#include "base/blocks.hpp"
#include "base/reserve.hpp"
#include "sync/reports.hpp"
#include "sync/system.hpp"
#include "sync/thread_state.hpp"
#include "tact/detail/owned_actor.hpp"
#include "tact/detail/patience.hpp"
#include "tact/detail/workers.hpp"
#include "tact/pumped.hpp"
#include "tact/statistics.hpp"

namespace tact::detail {

using actors::cell;
using actors::cell_of;
using actors::cell_region;

unfailing::unfailing() noexcept { base::may_use_reserve::enter(); }
unfailing::~unfailing() { base::may_use_reserve::leave(); }

void* allocate_pooled(block_class c) {
  return (c & for_closure) == 0 ? base::allocate_pooled(c)
                                : base::allocate_closure(static_cast<block_class>(c & ~for_closure));
}
void* allocate_large(std::size_t bytes) { return base::allocate_large(bytes); }
void free_pooled(void* block, block_class c) noexcept { base::free_pooled(block, c); }
void free_large(void* block, std::size_t bytes) noexcept { base::free_large(block, bytes); }

// -- inside a handler

run* current_run() noexcept { return actors::this_thread::handler(); }
core& core_of(run& r) noexcept { return transactor::of(r).engine(); }
void owe(run& r, port customer) noexcept { transactor::of(r).owe(customer); }
const context_node* current_context() noexcept {
  const run* const r = current_run();
  return r != nullptr ? r->context : sync::thread_state::of_this_thread().context;
}
const context_node* exchange_context(const context_node* next) noexcept {
  run* const r = current_run();
  if (r != nullptr) return transactor::of(*r).enter_context(next);
  return std::exchange(sync::thread_state::of_this_thread().context, next);
}
void settle_debt(run& r, port customer) noexcept { transactor::of(r).debt().defer(customer); }
void inherit_debt(run& r, const owing& from) noexcept {
  if (from.owed != 0) transactor::of(r).inherit(from.owed);
}
std::uint64_t times_restarted(run& r) noexcept { return actors::times_restarted(actors::cell_of(self_port(r))); }

void refuse_inside_handler(const char* call, const char* instead) {
  if (sync::thread_state::of_this_thread().in_wake) {
    throw usage_error(std::string(call) +
                      " waits, and keeps the sender waiting; in engine_options.on_wake only tell the loop that pumps");
  }
  if (actors::this_thread::worker() == nullptr && sync::thread_state::of_this_thread().loops != nullptr) {
    throw usage_error(std::string(call) +
                      " waits, and would stop the event loop of this thread, which has a tact::loop; call it on "
                      "another thread, or, to get an answer, let an actor on the loop ask (self.ask)");
  }
  if (actors::this_thread::worker() == nullptr && !sync::thread_state::of_this_thread().never_waits) return;
  throw usage_error(std::string(call) +
                    " waits, and would keep a thread of the engine waiting for itself; inside a handler " + instead);
}

// -- from any thread

core& start(const engine_options& options) {
  const auto& me = sync::thread_state::of_this_thread();
  if (me.worker != nullptr || me.never_waits) {
    throw usage_error(
        "tact::engine: not on a thread of an engine: what is sent in a handler leaves at its commit, and its thread "
        "must not wait for the end of the other engine; make it outside of handlers, and give them its refs");
  }
  return *new core(options);
}

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
  engine.creations().abandon(cell_of(reserved), false);
}

std::chrono::milliseconds ask_timeout(const core& engine) noexcept { return engine.options().ask_timeout; }
inside_engine::inside_engine(core& engine) noexcept : engine_(engine) { engine.guests().enter(); }
inside_engine::~inside_engine() { engine_.guests().leave(); }

port create_asker(core& engine, closure& asker) {
  return create(engine, asker, placement::parallel);  // whoever asks is told from others by the kind of the asker
}
bool withdraw_asker(core& engine, port asker) noexcept { return engine.creations().withdraw(asker); }

bool lives_in(port p, const core& engine) noexcept { return actors::lives_in(p, engine.id()); }

void send(core& engine, port to, const message_type& type, void* payload) {
  to = actors::or_nobody(to);
  // A message whose target has ended becomes a dead letter of the engine that the caller has named.
  if (cell_of(to).where().engine() == engine.id() || !actors::is_current(to))
    return engine.intake().post(to, type, payload);
  send(to, type, payload);
}

send_result send(core& engine, port to, const message_type& type, void* payload, const patience& p) {
  to = actors::or_nobody(to);
  if (cell_of(to).where().engine() == engine.id() || !actors::is_current(to))
    return engine.intake().try_post(to, type, payload, p);
  actors::engine_gate* gate = cell_region::of(cell_of(to)).gate.load();
  if (core* other = gate == nullptr ? nullptr : gate->enter()) {
    const actors::inside_gate in(*gate);
    return other->intake().try_post(to, type, payload, p);
  }
  send(to, type, payload);
  return send_result::engine_ended;
}

void order_end(port to, end_reason why) noexcept {
  const base::may_use_reserve sure;
  to = actors::or_nobody(to);
  if (!actors::is_current(to)) return;
  // send() ends the payload, so the order must not be a local object, whose destructor would run once more.
  alignas(actors::end_order) unsigned char room[sizeof(actors::end_order)];
  send(to, actors::pill_message, ::new (room) actors::end_order({allocation::finished, why}, nullptr));
}

void end_owned(port p) noexcept {
  run* r = actors::this_thread::worker();
  if (r == nullptr || !transactor::of(*r).ends().end_later(p)) order_end(p, end_reason::owner_gone);
}

void send_round(core& engine, port to, const message_type& type, void* payload) {
  to = actors::or_nobody(to);
  if (cell_of(to).where().engine() == engine.id()) return engine.intake().post(to, type, payload, true);
  send(engine, to, type, payload);
}

void send(port to, const message_type& type, void* payload) {
  to = actors::or_nobody(to);
  actors::engine_gate* gate = cell_region::of(cell_of(to)).gate.load();
  if (core* engine = gate == nullptr ? nullptr : gate->enter()) {
    const actors::inside_gate in(*gate);
    return engine->intake().post(to, type, payload);
  }
  if (&cell_of(to) == &actors::nobody()) {
    if (core* const first = actors::enter_first_engine()) {  // the dead letter needs an engine
      const actors::inside_gate in(first->gate());
      return first->intake().post(to, type, payload);
    }
  }
  // No engine is left that could count the dead letter. The customer hears of it, and the payload ends.
  void* message = type.indirect ? *static_cast<void**>(payload) : payload;
  if (const port customer = type.customer == nullptr ? 0 : type.customer(message)) {
    actors::tell_outside(customer, actors::notice_of(failure_reason::engine_ended));
  }
  if (type.destroy != nullptr) type.destroy(payload, true);
}

// -- waiting and ending

namespace {

void finish_and_delete(core& engine) noexcept {
  engine.shutdown().finish();
  delete &engine;
}

}  // namespace

// Also where a thread of the engine calls it, and in a forked process.
void finish(core& engine) noexcept {
  if (engine.is_left_behind()) {
    sync::report(
        "tact: a child process destroys an engine that lives in its parent: it is left as it is; after fork or daemon "
        "let the child call exec or _exit, or make its own engine\n");
    return;
  }
  const actors::ending here(engine.identity());
  if (here.is_in_circle()) {
    if (actors::visit::ends_process()) return engine.shutdown().leave_to_process_end();
    engine.shutdown().prepare_end_elsewhere();
    return actors::end_elsewhere([&engine] { finish_and_delete(engine); });
  }
  finish_and_delete(engine);
}

std::chrono::steady_clock::time_point now() noexcept { return sync::clock::now(); }
bool wait_told(core& engine, wait_word& told, deadline until, port asked) {
  // Look at `told` first: a thread that has helped until it was told may have run the handler that drops the engine.
  return told.is_done() || engine.calls().wait_told(told, until, asked);
}
pumped pump(core& engine, std::size_t most, deadline until) {
  const auto done = engine.calls().run_some(most, until);
  return {static_cast<std::size_t>(done.handled), done.more};
}
void run_engine(core& engine) { engine.calls().run(); }
void run_until_idle(core& engine) { engine.calls().run_until_idle(); }
void quit_run(core& engine) { engine.calls().quit_run(); }
unsigned count_workers(const core& engine) noexcept { return engine.count_workers(); }
bool set_workers(core& engine, unsigned count) { return engine.calls().set_workers(count); }
void look_whether_help_is_wanted(core& engine) { engine.calls().look_whether_help_is_wanted(); }
void help_until_told(core& engine, const wait_word& told) noexcept { engine.calls().help_until_told(told); }
bool wait_idle(core& engine, deadline until) { return engine.calls().wait_quiet(until, false, "engine.wait_idle"); }
bool wait_finished(core& engine, deadline until) {
  return engine.calls().wait_quiet(until, true, "engine.wait_finished");
}
bool drain(core& engine, deadline until) { return engine.shutdown().drain(until); }
bool cancel(core& engine, deadline until) { return engine.shutdown().cancel(until); }
std::string still_running(core& engine) { return engine.census().still_running(); }
statistics read_statistics(core& engine) { return engine.census().read_statistics(); }
std::vector<worker_statistics> read_worker_statistics(core& engine) { return engine.census().read_worker_statistics(); }
std::vector<type_statistics> read_type_statistics(core& engine) { return engine.census().read_type_statistics(); }
std::vector<std::uint64_t> read_shard_depths(core& engine) { return engine.census().read_shard_depths(); }
std::vector<mailbox_depth> read_fullest_mailboxes(core& engine, std::size_t most) {
  return engine.census().read_fullest(most);
}
const placement_plan& read_plan(const core& engine) noexcept { return engine.plan(); }
std::vector<dead_letter> read_dead_letters(core& engine) { return engine.letters().read(); }

}  // namespace tact::detail
