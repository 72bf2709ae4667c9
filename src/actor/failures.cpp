#include "actor/failures.hpp"

#include <cstdio>
#include <exception>
#include <new>
#include <ostream>
#include <utility>

#include "actor/cell.hpp"
#include "actor/core.hpp"
#include "actor/dead_letters.hpp"
#include "actor/notices.hpp"
#include "actor/papers.hpp"
#include "actor/this_thread.hpp"
#include "base/reserve.hpp"

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

ask_error::ask_error(const failure& f)
    : std::runtime_error("ask: " + std::string(to_string(f.reason)) +
                         (f.what.empty() || f.what == to_string(f.reason) ? "" : ": " + f.what)),
      reason_(f.reason),
      causes_(std::make_shared<const std::vector<std::string>>(f.causes)) {}

namespace {

std::string_view remedy(const dead_letter& letter) noexcept {
  switch (letter.reason) {
    case failure_reason::target_ended:
      return letter.target == actor::nobody_name ? "; the ref was empty: assign it from create or spawn before sending"
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
    .payload_bytes = sizeof(failure),
    .indirect = false,
    .role = message_type::failure_notice,
}
                                                   .complete(true);
static_assert(sizeof(failure) <= inline_bytes_max);

}  // namespace tact::detail

namespace tact::actor {
namespace {

// What is nested in the exception that is being handled. By catching it and not by dynamic_cast: what code compiled
// with -fno-rtti throws has no type information in its virtual table, but it is thrown with some.
std::exception_ptr nested_in_caught() noexcept {
  try {
    throw;
  } catch (const std::nested_exception& n) {
    return n.nested_ptr();
  } catch (...) {
    return nullptr;
  }
}

// The text of an exception, and what is nested in it.
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
    // Nothing is known of it.
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

bool is_token(const mailbox::envelope& e) noexcept { return &e.type() == &token_message; }
bool is_pill(const mailbox::envelope& e) noexcept {
  return e.is_special() && e.type().role == detail::message_type::pill;
}
const std::string* text_of_pill(mailbox::envelope& e) noexcept {
  return &e.type() == &pill_message ? static_cast<end_order*>(e.message())->what.get() : nullptr;
}
bool is_watch(const mailbox::envelope& e) noexcept { return &e.type() == &watch_message; }
detail::watcher& take_watcher(mailbox::envelope& e) noexcept {
  return *std::exchange(*static_cast<detail::watcher**>(e.payload()), nullptr);
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
    // The reason says enough.
  }
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
  // Sending ends the payload, so it must not be an object that ends once more with its scope.
  alignas(failure) unsigned char room[sizeof(failure)];
  detail::send(customer, detail::failure_message, ::new (room) failure(std::move(f)));
}

caught describe_exception() noexcept {
  constexpr std::size_t depth_max = 16;
  caught all;
  try {
    for (std::exception_ptr e = std::current_exception(); e != nullptr && all.causes.size() < depth_max;) {
      std::exception_ptr inner;
      all.causes.push_back(text_of(e, inner));
      all.what += (all.causes.size() == 1 ? "" : ": ") + all.causes.back();
      e = inner;
    }
  } catch (const std::bad_alloc&) {
    if (all.what.empty()) all.what = "out of memory";  // which the string itself has room for
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
    // As much of it as there was memory for.
  }
  return report;
}

failure_policy decide(const failure_rule& rule, const failure_report& report) noexcept {
  try {
    const this_thread::callback outside;
    return rule.decide(report);
  } catch (...) {
    return failure_policy::end;
  }
}

void call_destructor(detail::closure& c, allocation how) noexcept {
  if (c.type->destroy == nullptr) return;
  const base::may_use_reserve sure;  // a destructor that sends cannot say that it has failed
  const this_thread::callback outside;
  c.type->destroy(c, how);
}

void report_failure(const engine_options& options, const failure_report& report) noexcept {
  try {
    const this_thread::callback outside;
    if (options.on_failure) return options.on_failure(report);
    const std::string who = report.name.empty() ? "" : report.name + " (";
    const std::string line = "tact: " + who + std::string(report.actor) + (who.empty() ? "" : ")") +
                             " threw while handling " + std::string(report.message) + ": " + report.what +
                             (report.actor_ends ? " (the actor ends)\n" : "\n");
    std::fputs(line.c_str(), stderr);
  } catch (...) {
    // A report that fails must not fail what it reports; the failure is counted all the same.
  }
}

void report_unrepeatable(const engine_options& options, const unrepeatable_handler& report) noexcept {
  try {
    const this_thread::callback outside;
    if (options.on_unrepeatable) return options.on_unrepeatable(report);
    const std::string line = "tact: " + std::string(report.actor) + " handled " + std::string(report.message) +
                             " twice, and the second time " + report.difference +
                             "; a handler must do the same whenever it runs: what may not be repeated belongs into "
                             "self.on_commit\n";
    std::fputs(line.c_str(), stderr);
  } catch (...) {
    // As above.
  }
}

detail::port customer_of(mailbox::envelope& e) noexcept {
  const auto get = e.type().customer;
  return get == nullptr ? 0 : get(e.message());
}

failure_reason why_gone(detail::port p) noexcept {
  return cell_of(p).was_served(generation_of(p)) ? failure_reason::answered_already : failure_reason::target_ended;
}

}  // namespace tact::actor
