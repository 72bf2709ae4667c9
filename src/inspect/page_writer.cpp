#include "inspect/page_writer.hpp"

#include <algorithm>
#include <array>
#include <ostream>

#include "inspect/json_text.hpp"
#include "inspect/page_parts.hpp"

namespace tact::inspect {

namespace {

// In the order of logged_step::kind; the page knows the words.
constexpr std::array<std::string_view, 15> kinds = {
    "sent", "begun",    "waits",  "goes on",   "undone",   "created", "became",  "ends",
    "over", "unserved", "marked", "restarted", "collided", "said",    "failure",
};
static_assert(kinds.size() == static_cast<std::size_t>(logged_step::kind::failure) + 1);

// In the order of message_state.
constexpr std::string_view states =
    R"(["staged","waiting","handled","waits for an answer","done","failed","undone","dead letter"])";

// In the order of detail::trace_outcome.
constexpr std::array<std::string_view, 7> outcomes = {
    "", "committed", "failed", "forwarded", "put aside", "dead letter", "waits",
};

// A list of JSON: the comma stands before each but the first.
class separator {
 public:
  [[nodiscard]] std::string_view next() noexcept {
    const bool is_first = is_first_;
    is_first_ = false;
    return is_first ? "" : ",";
  }

 private:
  bool is_first_ = true;
};

// Writes the page up to the mark; what follows is left.
void write_up_to(std::ostream& to, std::string_view& page, std::string_view mark) {
  const std::size_t at = page.find(mark);
  to << page.substr(0, at);
  page.remove_prefix(at + mark.size());
}

}  // namespace

page_writer::page_writer(const run_log& of, const page_head& head, std::size_t most)
    : log_(of), head_(head), end_(of.steps().size()) {
  if (end_ <= most) return;
  first_ = end_ - most;
  if (const auto f = of.failure(); f && *f < first_) first_ = *f - std::min(*f, most / 2);
  end_ = first_ + most;
}

void page_writer::write(std::ostream& to) {
  std::string_view page = page_html;
  write_up_to(to, page, "/*style*/");
  to << page_css;
  write_up_to(to, page, "/*run*/");
  write_run(to);
  write_up_to(to, page, "/*script*/");
  to << page_js << page;
}

void page_writer::write_run(std::ostream& to) {
  static_cast<void>(column_of_thread(0));  // the program stands at the left
  for (std::size_t i = first_; i < end_; ++i) {
    need(log_.steps()[i].message);
    for (const logged_step::change& c : log_.steps()[i].changes) need(c.message);
  }
  const auto failure = log_.failure();
  to << R"({"what":)" << (head_.failure ? json_text(*head_.failure) : "null") << R"(,"failure":)"
     << (failure ? std::to_string(*failure - first_) : "-1") << R"(,"seed":)" << head_.seed << R"(,"switches":)"
     << head_.switches << R"(,"code":)" << json_text(head_.code) << R"(,"before":)" << first_ << R"(,"after":)"
     << log_.steps().size() - end_ << R"(,"remarks":[)";
  separator between;
  for (const std::string& r : head_.remarks) to << between.next() << json_text(r);
  to << R"(],"states":)" << states;
  write_threads(to);
  write_states_before(to);
  write_steps(to);
  write_messages(to);
  write_columns(to);
  to << "}";
}

void page_writer::need(std::uint64_t message) {
  while (message != 0 && needed_.insert(message).second) message = log_.messages()[message - 1].cause;
}

void page_writer::write_threads(std::ostream& to) const {
  to << R"(,"threads":{)";
  separator between;
  for (const auto& [number, name] : log_.threads()) to << between.next() << '"' << number << R"(":)" << json_text(name);
  to << "}";
}

// Where the messages are before the first step that is shown.
void page_writer::write_states_before(std::ostream& to) const {
  std::unordered_map<std::uint64_t, const logged_step*> last;
  std::unordered_map<std::uint64_t, message_state> now;
  for (std::size_t i = 0; i < first_; ++i) {
    for (const logged_step::change& c : log_.steps()[i].changes) {
      now[c.message] = c.to;
      last[c.message] = &log_.steps()[i];
    }
  }
  to << R"(,"begin":[)";
  separator between;
  for (const auto& [message, state] : now) {
    if (needed_.contains(message) || state == message_state::waiting)
      to << between.next() << "[" << message << "," << static_cast<unsigned>(state) << "," << last[message]->thread
         << "]";
  }
  to << "]";
}

void page_writer::write_steps(std::ostream& to) {
  to << R"(,"steps":[)";
  separator between;
  for (std::size_t i = first_; i < end_; ++i) {
    to << between.next() << "\n";
    write_step(to, log_.steps()[i]);
  }
  to << "]";
}

void page_writer::write_step(std::ostream& to, const logged_step& s) {
  to << R"({"k":")" << kinds[static_cast<std::size_t>(s.what)] << R"(","t":)" << s.thread;
  if (const auto c = column_of(s)) to << R"(,"c":)" << *c;
  if (s.what == logged_step::kind::created) to << R"(,"o":)" << column_of_actor(s.actor);
  if (s.message != 0) to << R"(,"m":)" << s.message;
  if (s.how != detail::trace_outcome::none) to << R"(,"h":")" << outcomes[static_cast<std::size_t>(s.how)] << '"';
  if (!s.text.empty()) to << R"(,"x":)" << json_text(s.text);
  if (s.is_line) to << R"(,"l":1)";
  if (s.is_undone) to << R"(,"u":1)";
  if (s.at.count() != 0) to << R"(,"at":)" << s.at.count();
  if (!s.changes.empty()) {
    to << R"(,"d":[)";
    separator between;
    for (const logged_step::change& c : s.changes)
      to << between.next() << "[" << c.message << "," << static_cast<unsigned>(c.to) << "]";
    to << "]";
  }
  to << "}";
}

void page_writer::write_messages(std::ostream& to) {
  to << R"(,"messages":[)";
  separator between;
  std::vector<std::uint64_t> in_order(needed_.begin(), needed_.end());
  std::sort(in_order.begin(), in_order.end());
  for (const std::uint64_t number : in_order) {
    const logged_message& m = log_.messages()[number - 1];
    to << between.next() << R"({"i":)" << number << R"(,"y":)" << json_text(m.type) << R"(,"f":)" << sender_of(m)
       << R"(,"o":)" << column_of_actor(m.to) << R"(,"c":)" << m.cause << "}";
  }
  to << "]";
}

void page_writer::write_columns(std::ostream& to) const {
  to << R"(,"columns":[)";
  separator between;
  for (const column& c : columns_) {
    const auto thread = log_.threads().find(c.thread);
    const std::string name = log_.is_answer(c.actor)          ? log_.name_without_number(c.actor)
                             : c.actor != 0                   ? log_.name_of(c.actor)
                             : thread == log_.threads().end() ? "thread " + std::to_string(c.thread)
                                                              : thread->second;
    to << between.next() << R"({"n":)" << json_text(name) << (c.actor == 0 ? R"(,"outside":1})" : "}");
  }
  to << "]";
}

// -- life lines, in the order in which they are met. Each answer has an actor of its own, which lives for one message:
// those of the same question to the same actor share a line.

std::size_t page_writer::column_of_actor(std::uint64_t actor) {
  const auto known = actors_.find(actor);
  if (known != actors_.end()) return known->second;
  std::size_t here = columns_.size();
  if (log_.is_answer(actor)) here = answers_.try_emplace(log_.name_without_number(actor), here).first->second;
  if (here == columns_.size()) columns_.push_back({actor, 0});
  actors_.emplace(actor, here);
  return here;
}

std::size_t page_writer::column_of_thread(unsigned thread) {
  const auto [found, is_new] = threads_.try_emplace(thread, columns_.size());
  if (is_new) columns_.push_back({0, thread});
  return found->second;
}

std::size_t page_writer::sender_of(const logged_message& m) {
  return m.from != 0 ? column_of_actor(m.from) : column_of_thread(m.from_thread);
}

// Where the step is drawn: a send at its sender. Lines about no actor are drawn nowhere.
std::optional<std::size_t> page_writer::column_of(const logged_step& s) {
  using kind = logged_step::kind;
  if (s.what == kind::sent)
    return s.message == 0 ? column_of_thread(s.thread) : sender_of(log_.messages()[s.message - 1]);
  if (s.what == kind::created && s.message != 0) return column_of_actor(log_.messages()[s.message - 1].to);
  if (s.actor != 0) return column_of_actor(s.actor);
  if (s.what == kind::failure) return column_of_thread(s.thread);
  return {};
}

}  // namespace tact::inspect
