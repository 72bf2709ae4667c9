// Implements the functions that a scope calls, which may outlive its engine.
#include <algorithm>
#include <chrono>
#include <limits>
#include <string>
#include <utility>

#include "actors/cells/cell_region.hpp"
#include "actors/cells/closures.hpp"
#include "actors/cells/members.hpp"
#include "actors/common/visit.hpp"
#include "actors/engine/core.hpp"
#include "actors/failure/dead_letters.hpp"
#include "sync/patience.hpp"
#include "sync/reports.hpp"
#include "sync/system.hpp"
#include "tact/detail/creation_options.hpp"
#include "tact/detail/trace_sink.hpp"

namespace tact::detail {

namespace {

// The engine in which the scope makes its members, which the caller has to leave soon; null: it has ended.
core* enter_engine_of(const members& scope) noexcept {
  core* const engine = scope.gate().enter();
  if (engine == nullptr || scope.is_of(engine->serial())) return engine;
  scope.gate().leave();
  return nullptr;
}

run* own_run(const members& scope) noexcept {
  run* const r = current_run();
  return r != nullptr && scope.is_of(core_of(*r).serial()) ? r : nullptr;
}

[[noreturn]] void refuse_in_ended(const creation_site& at) {
  std::string text = "tact::scope: the engine of this scope has ended, so the scope makes no actors any more";
  if (at.file != nullptr) text += "; it was asked to at " + std::string(at.file) + ":" + std::to_string(at.line);
  throw usage_error(text + "; let the engine live as long as its scopes are used");
}

}  // namespace

port create(const std::shared_ptr<members>& scope, closure& first, creation_options&& about) {
  about.scope = scope;
  if (run* const r = own_run(*scope)) return create(*r, first, std::move(about));
  core* const engine = enter_engine_of(*scope);
  if (engine == nullptr) {
    actors::end_closure(first, allocation::finished);
    refuse_in_ended(about.made_at);
  }
  const actors::inside_gate in(engine->gate());
  return create(*engine, first, std::move(about));
}
port reserve(const std::shared_ptr<members>& scope, creation_options&& about) {
  about.scope = scope;
  if (run* const r = own_run(*scope)) return reserve(*r, std::move(about));
  core* const engine = enter_engine_of(*scope);
  if (engine == nullptr) refuse_in_ended(about.made_at);
  const actors::inside_gate in(engine->gate());
  return reserve(*engine, std::move(about));
}
void install(const std::shared_ptr<members>& scope, port at, closure& first) {
  if (run* const r = own_run(*scope)) return install(*r, at, first);
  core* const engine = enter_engine_of(*scope);
  if (engine == nullptr) return actors::end_closure(first, allocation::finished);  // the engine has ended
  const actors::inside_gate in(engine->gate());
  install(*engine, at, first);
}
void abandon(const std::shared_ptr<members>& scope, port reserved) noexcept {
  if (own_run(*scope) != nullptr) return;  // at its end the run gives back addresses without a behaviour
  core* const engine = enter_engine_of(*scope);
  if (engine == nullptr) return;
  const actors::inside_gate in(engine->gate());
  abandon(*engine, reserved);
}

// -- the scope itself

namespace {

std::optional<bool> drive_engine_of(port who, const std::function<bool()>& reached, deadline until) {
  actors::engine_gate* const gate = actors::cell_region::of(actors::cell_of(who)).gate.load();
  core* const engine = gate == nullptr ? nullptr : gate->enter();
  if (engine == nullptr) return {};
  const actors::inside_gate in(*gate);
  if (engine->is_left_behind()) return true;  // in a child process, where no worker is left
  auto* const pump = engine->workers().pump();
  return pump == nullptr ? std::optional<bool>() : pump->wait(reached, until);
}

// Names some of the members that are left.
std::string describe_left(const members& m) {
  std::string text;
  for (const port p : m.some(10)) text += (text.empty() ? "" : ", ") + actors::describe(p);
  return text;
}

}  // namespace

std::shared_ptr<members> open_scope(core& engine, const std::shared_ptr<members>& around, failure_rule&& rule,
                                    std::string&& name) {
  auto scope = std::make_shared<members>(engine.gate(), engine.serial(), engine.disposed(), around, std::move(rule),
                                         std::move(name), &drive_engine_of);
  if (around != nullptr) around->add_inner(scope);
  return scope;
}
std::shared_ptr<members> open_listed_scope(core& engine, const std::shared_ptr<members>& around, failure_rule&& rule,
                                           std::string&& name) {
  auto scope = open_scope(engine, around, std::move(rule), std::move(name));
  enter_engine(engine, *scope);
  return scope;
}
void end_scope(members& m) noexcept { m.end(); }
bool wait_scope(members& m, deadline until) noexcept { return m.wait(until); }
std::size_t count_members(const members& m) noexcept { return m.count(); }
std::vector<port> list_members(const members& m) { return m.some(std::numeric_limits<std::size_t>::max()); }

void close_scope(members& m) noexcept {
  m.end();
  close_ending_scope(m);
  leave_engine(m);
}

void close_ending_scope(members& m) noexcept {
  // A thread that is inside of an engine must not wait: the members may be waiting for that thread. This holds in calls
  // of users' functions too.
  if (actors::visit::is_inside_any()) return;
  sync::director* const simulated = sync::director::current();
  // A simulation may wait for years, so there each silence is twice as long as the one before.
  constexpr std::chrono::nanoseconds longest = std::chrono::hours(24 * 365);
  std::chrono::nanoseconds silence = sync::patience::limit;
  for (; !m.wait(sync::clock::now() + silence); silence = simulated ? std::min(2 * silence, longest) : silence) {
    try {
      const std::string text = "tact: a scope waits for actors that do not end: " + describe_left(m) + "\n";
      if (simulated != nullptr) {
        simulated->say(text);
      } else {
        sync::report(text);
      }
    } catch (...) {
      // Without memory for the text the thread waits in silence.
    }
    if (simulated != nullptr && !simulated->why_in_vain().empty()) return;
  }
  m.close();
}

}  // namespace tact::detail
