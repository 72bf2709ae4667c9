#include "inspect/run_log.hpp"

#include <new>
#include <utility>

#include "base/answer_name.hpp"
#include "sync/system.hpp"
#include "tact/detail/access.hpp"

namespace tact::inspect {

using detail::trace_note;
using detail::trace_outcome;
using detail::trace_step;

namespace {

std::uint64_t actor_of(detail::port p) noexcept { return p & ~detail::index_mask; }

message_state state_after(trace_outcome how) noexcept {
  switch (how) {
    case trace_outcome::failed:
      return message_state::failed;
    case trace_outcome::forwarded:
    case trace_outcome::put_aside:
      return message_state::waiting;
    case trace_outcome::dead:
      return message_state::dead;
    default:
      return message_state::done;
  }
}

bool ends_a_message(sync::event what) noexcept {
  using sync::event;
  return what == event::committed || what == event::failed || what == event::forwarded || what == event::dead;
}

}  // namespace

void run_log::attach(simulation& of, std::shared_ptr<run_log> itself) {
  itself_ = std::move(itself);
  of_ = std::addressof(of);
  running_ = std::addressof(detail::watch_simulation(of, this));
  threads_.emplace(0, "program");
}

void run_log::detach(simulation& of) noexcept {
  detail::watch_simulation(of, nullptr);
  see_all(false);
  itself_.reset();
}

// Without memory a step is missing, and the log says so.
template <class F>
void run_log::with_memory(F what) noexcept {
  try {
    what();
  } catch (const std::bad_alloc&) {
    is_incomplete_ = true;
  }
}

// -- what the simulation tells

void run_log::hear_engine(tact::engine& e) {
  // The engine is new, so it has no other sink.
  static_cast<void>(detail::record_steps(detail::access::core_of(e), std::move(itself_)));
  see_all(true);
}

void run_log::hear_line(const detail::simulated_line& l) noexcept {
  with_memory([&] { take_line(l); });
}

void run_log::hear_failure(std::string_view text) noexcept {
  with_memory([&] { note_failure(text); });
}

void run_log::fail(std::string_view what) {
  if (failure_text_ != what) note_failure(what);
}

void run_log::note_failure(std::string_view text) {
  if (!failure_) {
    failure_ = steps_.size();
    failure_text_ = text;
  }
  const auto& handlers = here().handlers;
  logged_step& s = add(kind::failure);
  s.text = text;
  if (!handlers.empty()) {
    s.message = handlers.back().message;
    s.actor = handlers.back().actor;
  }
}

void run_log::take_line(const detail::simulated_line& l) {
  threads_.try_emplace(l.thread, l.thread_name);
  if (l.actor != 0) actors_[l.actor] = {l.actor_number, std::string(l.actor_name)};
  thread_place& place = here();
  using sync::event;
  const bool is_about_begun = l.actor != 0 && (l.what == event::handling || l.what == event::put_aside) && place.begun;
  const std::size_t at = is_about_begun ? *place.begun : steps_.size();
  logged_step& s = is_about_begun ? steps_[at] : add(kind::said);
  place.begun.reset();
  s.text = l.text;
  s.is_line = true;
  s.actor = l.actor;
  if (l.actor == 0 || is_about_begun) return;
  if (l.what == event::sent) {
    s.what = kind::sent;
    place.sending = at;
    return;
  }
  if (!place.handlers.empty()) s.message = place.handlers.back().message;
  if (ends_a_message(l.what)) place.ending = at;
  if (l.what == event::collided) s.what = kind::collided;
}

// -- what the engine tells

std::uint64_t run_log::send(detail::port to, const detail::message_type& type, const detail::behavior_type* actor_type,
                            std::uint64_t cause) noexcept {
  const std::uint64_t id = ++last_id_;
  with_memory([&] {
    note_type(actor_of(to), actor_type);
    const thread_place& place = here();
    const std::uint64_t from = place.handlers.empty() ? 0 : place.handlers.back().actor;
    message(id) = {type.name, actor_of(to), from, *running_, cause, message_state::waiting};
    logged_step& s = take_or_add(here().sending, kind::sent);
    s.message = id;
    s.actor = actor_of(to);
    move(s, id, message_state::waiting);
  });
  return id;
}

std::uint64_t run_log::begin(const trace_note& n) noexcept {
  const std::uint64_t id = n.id != 0 ? n.id : ++last_id_;
  with_memory([&] { take_begun(n, id); });
  return id;
}

std::uint64_t run_log::send(const trace_note& n) noexcept {
  trace_note sent = n;
  sent.id = ++last_id_;
  write(sent);
  return sent.id;
}

void run_log::write(const trace_note& n) noexcept {
  with_memory([&] { take(n); });
}

void run_log::take(const trace_note& n) {
  note_type(actor_of(n.actor), n.actor_type);
  std::vector<handler>& handlers = here().handlers;
  if (n.step == trace_step::over) return take_over(n);
  // What a worker does besides running messages is no step of the program.
  if (n.step == trace_step::parked || n.step == trace_step::woke || n.step == trace_step::stole) return;
  const std::size_t at = steps_.size();
  logged_step& s = add(kind::said);
  s.actor = actor_of(n.actor);
  s.message = n.id != 0 || handlers.empty() ? n.id : handlers.back().message;
  switch (n.step) {
    case trace_step::sent:
      take_sent(n, s);
      break;
    case trace_step::waits:
      s.what = kind::waits;
      move(s, s.message, message_state::aside);
      if (!handlers.empty()) {
        move_staged(s, handlers.back(), message_state::waiting);
        handlers.pop_back();
      }
      return;
    case trace_step::goes_on:
      s.what = kind::goes_on;
      handlers.push_back({n.id, s.actor, {}});
      move(s, n.id, message_state::handled);
      return;
    case trace_step::undone:
      s.what = kind::undone;
      if (!handlers.empty()) move_staged(s, handlers.back(), message_state::undone);
      return;
    case trace_step::created:
      s.what = kind::created;
      break;
    case trace_step::became:
      s.what = kind::became;
      break;
    case trace_step::stopped:
      s.what = kind::stopped;
      break;
    case trace_step::marked:
      s.what = kind::marked;
      s.text = n.text;
      break;
    case trace_step::restarted:
      s.what = kind::restarted;
      return;
    case trace_step::unserved:
      s.what = kind::unserved;
      s.text = to_string(static_cast<failure_reason>(n.reason));
      if (n.id != 0) move(s, n.id, message_state::dead);
      return;
    default:
      return;
  }
  if (!handlers.empty()) handlers.back().staged.push_back(at);
}

void run_log::take_sent(const trace_note& n, logged_step& s) {
  const std::vector<handler>& handlers = here().handlers;
  s.what = kind::sent;
  logged_message& m = message(n.id);
  m.type = n.message->name;
  m.to = s.actor;
  m.from = handlers.empty() ? 0 : handlers.back().actor;
  m.from_thread = *running_;
  m.cause = handlers.empty() ? 0 : handlers.back().message;
  move(s, n.id, handlers.empty() ? message_state::waiting : message_state::staged);
}

// A thread begins a message from its lane, so it is at no other one any more.
void run_log::take_begun(const trace_note& n, std::uint64_t id) {
  note_type(actor_of(n.actor), n.actor_type);
  thread_place& place = here();
  place.handlers.clear();
  place.handlers.push_back({id, actor_of(n.actor), {}});
  logged_message& m = message(id);
  m.type = n.message->name;
  m.to = actor_of(n.actor);
  place.begun = steps_.size();
  logged_step& s = add(kind::begun);
  s.message = id;
  s.actor = m.to;
  move(s, id, message_state::handled);
}

void run_log::take_over(const trace_note& n) {
  thread_place& place = here();
  // Without a line it is no step of its own: the message was put aside.
  const bool is_silent = !place.ending && place.begun.has_value();
  logged_step& s = is_silent ? steps_[*place.begun] : take_or_add(place.ending, kind::over);
  if (!is_silent) s.what = kind::over;
  s.how = n.outcome;
  s.message = n.id;
  s.actor = actor_of(n.actor);
  move(s, n.id, state_after(n.outcome));
  while (!place.handlers.empty()) {
    handler h = std::move(place.handlers.back());
    place.handlers.pop_back();
    if (h.message != n.id) continue;
    move_staged(s, h, message_state::waiting);
    return;
  }
}

// What the run of the handler has staged takes effect, or takes none.
void run_log::move_staged(logged_step& s, handler& h, message_state to) {
  for (const std::size_t at : std::exchange(h.staged, {})) {
    logged_step& effect = steps_[at];
    effect.is_undone = to == message_state::undone;
    // A worker may have begun with the message before the line says that its sender has committed.
    if (effect.what == kind::sent && message(effect.message).now == message_state::staged) move(s, effect.message, to);
  }
}

void run_log::move(logged_step& s, std::uint64_t number, message_state to) {
  message(number).now = to;
  s.changes.push_back({number, to});
}

// -- parts

logged_step& run_log::add(kind what) {
  logged_step& s = steps_.emplace_back();
  s.what = what;
  s.thread = *running_;
  s.at = of_->now();
  return s;
}

logged_step& run_log::take_or_add(std::optional<std::size_t>& line, kind what) {
  const std::optional<std::size_t> at = std::exchange(line, std::nullopt);
  return at ? steps_[*at] : add(what);
}

logged_message& run_log::message(std::uint64_t number) {
  if (messages_.size() < number) messages_.resize(number);
  return messages_[number - 1];
}

void run_log::note_type(std::uint64_t actor, const detail::behavior_type* type) {
  if (actor == 0 || type == nullptr) return;
  actor_name& known = actors_[actor];
  if (known.name.empty()) known.name = type->name;
}

std::string run_log::name_without_number(std::uint64_t actor) const {
  const auto found = actors_.find(actor);
  return found == actors_.end() || found->second.name.empty() ? "an actor" : found->second.name;
}

std::string run_log::name_of(std::uint64_t actor) const {
  const auto found = actors_.find(actor);
  const std::string name = name_without_number(actor);
  if (found == actors_.end() || found->second.number == 0) return name;
  return base::with_address(name, "@" + std::to_string(found->second.number));
}

bool run_log::is_answer(std::uint64_t actor) const {
  const std::string name = name_without_number(actor);
  return name.starts_with(std::string(base::one_answer).append(base::to_request)) ||
         name.starts_with(std::string(base::several_answers).append(base::to_request));
}

}  // namespace tact::inspect
