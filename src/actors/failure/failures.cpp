#include "actors/failure/failures.hpp"

#include <exception>
#include <new>
#include <ostream>
#include <utility>

#include "actors/cells/cell.hpp"
#include "actors/cells/cell_region.hpp"
#include "actors/cells/metadata.hpp"
#include "actors/common/this_thread.hpp"
#include "actors/failure/dead_letters.hpp"
#include "actors/failure/end_notices.hpp"
#include "base/reserve.hpp"
#include "tact/poison_pill.hpp"

namespace tact {

std::string_view to_string(failure_reason reason) noexcept {
  switch (reason) {
    case failure_reason::handler_threw:
      return "handler threw";
    case failure_reason::target_ended:
      return "target ended";
    case failure_reason::engine_ended:
      return "engine ended";
    case failure_reason::unanswered:
      return "unanswered";
    case failure_reason::answered_already:
      return "answered already";
    case failure_reason::timed_out:
      return "timed out";
    case failure_reason::cancelled:
      return "cancelled";
    case failure_reason::waits_in_circle:
      return "waits in a circle";
    case failure_reason::failure_not_heard:
      return "failure not heard";
    case failure_reason::mailbox_full:
      return "mailbox full";
    case failure_reason::out_of_memory:
      return "out of memory";
  }
  return "unknown reason";
}

namespace {

// Cuts the middle out of a text that is too long: its beginning says what threw here, its end what threw first.
std::string bounded(std::string_view text) {
  constexpr std::string_view gap = " ... ";
  constexpr std::size_t half = (failure_text_max - gap.size()) / 2;
  // In UTF-8: the byte is inside a character, not its first one.
  const auto goes_on = [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u; };
  if (text.size() <= failure_text_max) return std::string(text);
  std::size_t from = text.size() - half;
  std::size_t to = half;
  while (to != 0 && goes_on(text[to])) --to;
  while (from != text.size() && goes_on(text[from])) ++from;
  return std::string(text.substr(0, to)).append(gap).append(text.substr(from));
}

// The text of an ask that has failed. If a handler asks and does not catch this, it fails with the same text, and so
// does the handler that has asked it. So the words in front are not repeated when the text begins with them already.
std::string text_of_ask(const failure& f) {
  const std::string said = "ask: " + std::string(to_string(f.reason));
  if (f.what.empty() || f.what == to_string(f.reason)) return said;
  return f.what.starts_with(said) ? bounded(f.what) : bounded(said + ": " + f.what);
}

}  // namespace

struct ask_error::texts {
  std::string what;
  std::vector<std::string> causes;
};

std::shared_ptr<const ask_error::texts> ask_error::texts_of(const failure& f) noexcept {
  try {
    return std::make_shared<const texts>(texts{text_of_ask(f), f.causes});
  } catch (...) {
    return nullptr;
  }
}

// The text of the base class is empty, because that needs no memory.
ask_error::ask_error(const failure& f) : std::runtime_error(""), reason_(f.reason), texts_(texts_of(f)) {}

const char* ask_error::what() const noexcept {
  return texts_ != nullptr ? texts_->what.c_str() : to_string(reason_).data();
}

const std::vector<std::string>& ask_error::causes() const noexcept {
  static const std::vector<std::string> none;
  return texts_ != nullptr ? texts_->causes : none;
}

namespace {

std::string_view remedy(const dead_letter& letter) noexcept {
  switch (letter.reason) {
    case failure_reason::target_ended:
      return letter.target == actors::nobody_name
                 ? "; the ref was empty: assign it from create or spawn before sending"
                 : "; a ref keeps no actor alive: send before its end, or end it later";
    case failure_reason::engine_ended:
      return "; send before the engine's end, and drain it to have everything handled";
    case failure_reason::answered_already:
      return "; a customer takes one answer: reply once, or give the one who asks more time";
    case failure_reason::waits_in_circle:
      return "; let one of these handlers ask with a continuation, self.ask(to, query, then), which waits for nothing";
    case failure_reason::failure_not_heard:
      return "; add a handler for tact::failure to the customer's protocol";
    case failure_reason::mailbox_full:
      return "; send less, raise the tact::mailbox_limit, or let it hold back the threads that send";
    case failure_reason::out_of_memory:
      return "; use less memory, or give the process more";
    case failure_reason::handler_threw:
    case failure_reason::unanswered:
    case failure_reason::timed_out:
    case failure_reason::cancelled:
      break;
  }
  return "";
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const dead_letter& letter) {
  out << letter.message << " to " << letter.target << ": " << to_string(letter.reason);
  if (!letter.what.empty()) out << " (" << letter.what << ")";
  return out << remedy(letter);
}

}  // namespace tact

namespace tact::detail {

constinit const message_type failure_message = message_type{
    .relocate =
        [](void* from, void* to) noexcept {
          auto* old = static_cast<failure*>(from);
          new (to) failure(std::move(*old));
          old->~failure();
        },
    .destroy = [](void* payload, bool) noexcept { static_cast<failure*>(payload)->~failure(); },
    .customer = nullptr,
    .name = "tact::failure",
    .key = &key_of_type<failure>,
    .payload_bytes = sizeof(failure),
    .indirect = false,
    .role = message_type::failure_notice,
}
                                                   .complete(true);
static_assert(sizeof(failure) <= inline_bytes_max);

}  // namespace tact::detail

namespace tact::actors {
namespace {

// The exception that is nested in the one being handled. A catch clause finds it and not a dynamic_cast: an exception
// of code that was compiled with -fno-rtti has no type information in its virtual table, but it is thrown with some.
std::exception_ptr nested_in_caught() noexcept {
  try {
    throw;
  } catch (const std::nested_exception& n) {
    return n.nested_ptr();
  } catch (...) {
    return nullptr;
  }
}

// The text of an exception. `inner` becomes the exception that is nested in it, if there is one.
std::string text_of(const std::exception_ptr& thrown, std::exception_ptr& inner) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& e) {
    inner = nested_in_caught();
    return e.what();
  } catch (const std::nested_exception& n) {
    inner = n.nested_ptr();
  } catch (const std::string& text) {
    return text;
  } catch (const char* text) {
    return text;
  } catch (...) {
    // Nothing is known of the exception.
  }
  return "an exception that is no std::exception";
}

}  // namespace

constinit const detail::message_type pill_message = detail::message_type{
    .relocate =
        [](void* from, void* to) noexcept {
          auto* old = static_cast<end_order*>(from);
          new (to) end_order(std::move(*old));
          old->~end_order();
        },
    .destroy = [](void* payload, bool) noexcept { static_cast<end_order*>(payload)->~end_order(); },
    .customer = nullptr,
    .name = "order to end",
    .payload_bytes = sizeof(end_order),
    .indirect = false,
    .role = detail::message_type::pill,
}
                                                        .complete(true);

constinit const detail::message_type watch_message =
    detail::message_type{
        .relocate = nullptr,
        .destroy =
            [](void* payload, bool handled) noexcept {
              detail::watcher* w = *static_cast<detail::watcher**>(payload);
              if (w == nullptr) return;
              handled ? tell(*w, nullptr, {.reason = end_reason::engine_ended}) : w->drop(*w);
            },
        .customer = nullptr,
        .name = "order to watch",
        .payload_bytes = sizeof(detail::watcher*),
        .indirect = false,
        .role = detail::message_type::watch,
    }
        .complete(true);

constinit const detail::message_type forget_message =
    detail::message_type{
        .relocate = nullptr,
        .destroy =
            [](void* payload, bool) noexcept {
              detail::watcher* w = *static_cast<detail::watcher**>(payload);
              w->drop(*w);
            },
        .customer = nullptr,
        .name = "order to forget a watcher",
        .payload_bytes = sizeof(detail::watcher*),
        .indirect = false,
        .role = detail::message_type::forget,
    }
        .complete(true);

constinit const detail::message_type token_message =
    detail::message_type{
        .relocate = nullptr,
        .destroy = nullptr,
        .customer = nullptr,
        .name = "token",
        .payload_bytes = sizeof(void*),
        .indirect = false,
        .role = detail::message_type::token,
    }
        .complete(false);

constinit const detail::message_type restart_message =
    detail::message_type{
        .relocate = nullptr,
        .destroy = nullptr,
        .customer = nullptr,
        .name = "order to restart",
        .payload_bytes = sizeof(restart_order),
        .indirect = false,
        .role = detail::message_type::restart,
    }
        .complete(false);

bool is_restart_order(const mailbox::envelope& e) noexcept { return &e.type() == &restart_message; }
bool is_token(const mailbox::envelope& e) noexcept { return &e.type() == &token_message; }
bool is_pill(const mailbox::envelope& e) noexcept {
  return e.is_special() && e.type().role == detail::message_type::pill;
}
bool is_own_answer(const mailbox::envelope& e) noexcept {
  return e.is_special() && e.type().role == detail::message_type::own_answer;
}
detail::ending ending_of_pill(mailbox::envelope& e) noexcept {
  if (&e.type() == &pill_message) return static_cast<end_order*>(e.message())->how;
  return {static_cast<poison_pill*>(e.message())->how};
}
const std::string* text_of_pill(mailbox::envelope& e) noexcept {
  return &e.type() == &pill_message ? static_cast<end_order*>(e.message())->what.get()
                                    : static_cast<poison_pill*>(e.message())->reason.get();
}
bool is_watch(const mailbox::envelope& e) noexcept { return &e.type() == &watch_message; }
detail::watcher& take_watcher(mailbox::envelope& e) noexcept {
  return *std::exchange(*static_cast<detail::watcher**>(e.payload()), nullptr);
}

bool is_forget(const mailbox::envelope& e) noexcept { return &e.type() == &forget_message; }
detail::watcher& watcher_to_forget(mailbox::envelope& e) noexcept {
  return **static_cast<detail::watcher**>(e.payload());
}
void put_watcher(mailbox::envelope& e, detail::watcher& w) noexcept {
  *static_cast<detail::watcher**>(e.payload()) = &w;
}

failure notice_of(failure_reason reason) noexcept { return notice_of(reason, to_string(reason).data()); }

failure notice_of(failure_reason reason, const char* words) noexcept {
  failure f{reason, {}};
  try {
    f.what = words;
  } catch (const std::bad_alloc&) {
    // Without memory for the words the reason says enough.
  }
  return f;
}

failure notice_of_burial(detail::port to, failure_reason reason) noexcept {
  failure f = notice_of(reason);
  if (reason != failure_reason::target_ended) return f;
  if (std::string why = reason_of_end(to); !why.empty()) f.what = std::move(why);
  return f;
}

std::unique_ptr<std::string> end_order::copy_of(const std::string* text) noexcept {
  try {
    return text == nullptr ? nullptr : std::make_unique<std::string>(*text);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void tell_outside(detail::port customer, failure&& f) noexcept {
  const base::may_use_reserve sure;
  // send() ends the payload, so the failure must not be a local object, whose destructor would run once more.
  alignas(failure) unsigned char room[sizeof(failure)];
  detail::send(customer, detail::failure_message, ::new (room) failure(std::move(f)));
}

caught describe_exception() noexcept {
  caught all;
  try {
    std::string text;
    for (std::exception_ptr e = std::current_exception(); e != nullptr;) {
      std::exception_ptr inner;
      text = bounded(text_of(e, inner));
      if (all.causes.size() < failure_causes_max) {
        all.causes.push_back(std::move(text));
      } else {
        all.causes.back() = std::move(text);
      }
      e = inner;
    }
    for (const std::string& cause : all.causes) all.what += (all.what.empty() ? "" : ": ") + cause;
    all.what = bounded(all.what);
  } catch (const std::bad_alloc&) {
    if (all.what.empty()) all.what = "out of memory";  // fits into the string itself
  }
  return all;
}

failure_report report_of(const caught& thrown, detail::port by, std::string_view actor,
                         std::string_view message) noexcept {
  failure_report report{actor, message, {}, false};
  try {
    report.what = thrown.what;
    report.name = given_name(by);
    report.causes = thrown.causes;
  } catch (const std::bad_alloc&) {
    // The report has as much text as there was memory for.
  }
  return report;
}

failure_verdict decide(const failure_rule& rule, const failure_report& report) noexcept {
  try {
    const this_thread::callback outside;
    return rule.decide(report);
  } catch (...) {
    return failure_policy::end;
  }
}

failure_verdict decide(detail::port p, detail::actor_kind kind, const engine_options& options,
                       const failure_report& report) noexcept {
  if (kind == detail::actor_kind::join) return failure_policy::go_on;  // it hears of the failure, and ends by itself
  const auto about = particulars_of(p);
  if (about != nullptr && about->rule) return decide(about->rule, report);
  const failure_rule* of_scope = about == nullptr || about->scope == nullptr ? nullptr : about->scope->rule();
  if (of_scope != nullptr) return decide(*of_scope, report);
  const bool is_classic = kind == detail::actor_kind::classic;
  return decide(is_classic ? options.classic_failure : options.transactional_failure, report);
}

void call_destructor(detail::closure& c, allocation how) noexcept {
  if (c.type->destroy == nullptr) return;
  const base::may_use_reserve sure;  // a destructor cannot report that a send in it has failed
  const this_thread::callback outside;
  c.type->destroy(c, how);
}

detail::port customer_of(mailbox::envelope& e) noexcept {
  const auto get = e.type().customer;
  return get == nullptr ? 0 : get(e.message());
}

// An engine that has gone leaves its regions to the next one, and then it is not known any more that it was the engine
// which has ended.
failure_reason why_gone(detail::port p) noexcept {
  const bool has_engine = cell_region::of(cell_of(p)).gate.load() != nullptr;
  if (!has_engine && &cell_of(p) != &nobody()) return failure_reason::engine_ended;
  return cell_of(p).was_served(generation_of(p)) ? failure_reason::answered_already : failure_reason::target_ended;
}

}  // namespace tact::actors
