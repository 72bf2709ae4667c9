// Prints what an engine tells its users: reasons, and what became of messages, mailboxes and actors.
#include <chrono>
#include <cstdio>
#include <ostream>
#include <string>

#include "base/struct_text.hpp"
#include "tact/allocation.hpp"
#include "tact/ended.hpp"
#include "tact/failure_rule.hpp"
#include "tact/mailbox_limit.hpp"
#include "tact/patterns/distribution.hpp"
#include "tact/patterns/inlet.hpp"
#include "tact/patterns/resequencer.hpp"
#include "tact/pumped.hpp"

namespace tact {
namespace {

std::string_view word_of(failure_policy p) noexcept {
  constexpr std::string_view words[] = {"go_on", "end", "restart"};
  return words[static_cast<unsigned>(p)];
}
std::string_view word_of(when_full w) noexcept {
  constexpr std::string_view words[] = {"reject", "drop_newest", "drop_oldest", "hold_back"};
  return words[static_cast<unsigned>(w)];
}

// "12 of 1000 messages"
std::string out_of(std::uint64_t now, std::uint64_t most, const char* what) {
  return std::to_string(now) + (most == 0 ? "" : " of " + std::to_string(most)) + what;
}

std::string rounded(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", number);
  return text;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, failure_reason r) { return out << to_string(r); }
std::ostream& operator<<(std::ostream& out, end_reason r) { return out << to_string(r); }
std::ostream& operator<<(std::ostream& out, failure_policy p) { return out << word_of(p); }
std::ostream& operator<<(std::ostream& out, when_full w) { return out << word_of(w); }
std::ostream& operator<<(std::ostream& out, send_result r) {
  constexpr std::string_view words[] = {"sent", "full", "dropped", "target ended", "engine ended"};
  return out << words[static_cast<unsigned>(r)];
}
std::ostream& operator<<(std::ostream& out, allocation a) {
  constexpr std::string_view words[] = {"nodelete", "delete_", "destroy", "finished"};
  return out << words[static_cast<unsigned>(a)];
}

std::ostream& operator<<(std::ostream& out, const failure& f) {
  const std::string reason(to_string(f.reason));
  return out << (f.what.empty() || f.what == reason ? reason : reason + ": " + f.what);
}

std::ostream& operator<<(std::ostream& out, const failure_verdict& v) {
  std::string text(word_of(v.policy));
  if (v.after.count() != 0) text += " after " + base::code_of(v.after);
  return out << text + (v.again ? ", and the message again" : "");
}

std::ostream& operator<<(std::ostream& out, const ended& e) {
  std::string text = (e.actor.empty() ? "an actor" : e.actor) + " has ended: ";
  return out << text.append(to_string(e.reason)).append(e.what.empty() ? "" : ": ").append(e.what);
}

std::ostream& operator<<(std::ostream& out, const mailbox_limit& l) {
  return out << base::struct_text("mailbox_limit")
                    .with("messages", l.messages)
                    .with("bytes", l.bytes)
                    .with("when_full", base::code{std::string(word_of(l.when_full))})
                    .text();
}

std::ostream& operator<<(std::ostream& out, const mailbox_depth& d) {
  std::string text = d.actor + ": " + out_of(d.messages, d.limit.messages, " messages");
  if (d.limit.bytes != 0) text += ", " + out_of(d.bytes, d.limit.bytes, " bytes");
  text += " wait";
  if (d.oldest.count() != 0) {
    const bool is_long = d.oldest >= std::chrono::milliseconds(1);
    const auto cut = d.oldest - d.oldest % std::chrono::nanoseconds(is_long ? 1'000'000 : 1'000);
    text += ", the first for " + base::code_of(cut);
  }
  return out << text + "; " + std::to_string(d.refused) + (d.refused == 1 ? " was refused" : " were refused");
}

std::ostream& operator<<(std::ostream& out, const pumped& p) {
  return out << base::struct_text("pumped").with("handled", p.handled).with("more", p.more).text();
}

// -- of patterns

std::ostream& operator<<(std::ostream& out, const item_failed& f) { return out << "an item failed: " << f.why; }

std::ostream& operator<<(std::ostream& out, const sequence_gap& g) {
  return out << "messages " + std::to_string(g.from) + " to " + std::to_string(g.to) + " were skipped";
}

std::ostream& operator<<(std::ostream& out, const out_of_sequence& o) {
  return out << "message " + std::to_string(o.number) + " came out of sequence";
}

std::ostream& operator<<(std::ostream& out, const distribution& d) {
  if (d.count() == 0) return out << "no values";
  const auto up_to = [&](double part) { return std::to_string(d.quantile(part)); };
  return out << std::to_string(d.count()) + (d.count() == 1 ? " value, " : " values, ") + std::to_string(d.min()) +
                    " to " + std::to_string(d.max()) + ", mean " + rounded(d.mean()) + "; half up to " + up_to(0.5) +
                    ", 90 % up to " + up_to(0.9) + ", 99 % up to " + up_to(0.99);
}

}  // namespace tact
