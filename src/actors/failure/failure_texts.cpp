#include "actors/failure/failure_texts.hpp"

#include <exception>
#include <new>
#include <ostream>
#include <utility>

#include "actors/cells/cell.hpp"
#include "actors/cells/metadata.hpp"
#include "actors/failure/dead_letters.hpp"
#include "actors/trace/tracing.hpp"

namespace tact::actors {
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

}  // namespace
}  // namespace tact::actors

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

// The text of an ask that has failed. If a handler asks and does not catch this, it fails with the same text, and so
// does the handler that has asked it. So the words in front are not repeated when the text begins with them already.
std::string text_of_ask(const failure& f) {
  const std::string said = "ask: " + std::string(to_string(f.reason));
  if (f.what.empty() || f.what == to_string(f.reason)) return said;
  return f.what.starts_with(said) ? actors::bounded(f.what) : actors::bounded(said + ": " + f.what);
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

std::ostream& operator<<(std::ostream& out, const dead_letter_count& c) {
  return out << c.messages << (c.messages == 1 ? " message: " : " messages: ") << to_string(c.reason);
}

}  // namespace tact

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
  report.trace = recorded_message();
  try {
    report.what = thrown.what;
    report.name = given_name(by);
    report.causes = thrown.causes;
  } catch (const std::bad_alloc&) {
    // The report has as much text as there was memory for.
  }
  return report;
}

}  // namespace tact::actors
