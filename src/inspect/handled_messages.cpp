#include "inspect/handled_messages.hpp"

#include <sstream>
#include <utility>

#include "inspect/sequence_chart.hpp"

namespace tact::inspect {

namespace {

bool ends_message(const event& e) noexcept {
  if (e.what == step::unserved) return true;
  return e.what == step::over && (e.how == outcome::committed || e.how == outcome::failed || e.how == outcome::dead);
}

void append_count(std::string& to, const char* what, unsigned count) {
  if (count != 0) to.append(", ").append(what).append(" ").append(std::to_string(count));
}

void append_times(std::string& to, const char* what, unsigned count) {
  if (count == 0) return;
  to.append(", ").append(what);
  if (count != 1) to.append(" ").append(std::to_string(count)).append(" times");
}

std::string end_of(const event& e) {
  if (e.what == step::unserved) {
    std::ostringstream why;
    why << "not handled: " << e.why;
    return why.str();
  }
  if (e.how == outcome::committed) return "committed";
  return e.how == outcome::failed ? "failed" : "not handled";
}

// Of whom a message came, for each message of the trace.
class senders {
 public:
  explicit senders(const trace& in) {
    for (const event& e : in.events()) {
      if (e.what == step::sent) causes_.emplace(e.message, e.cause);
      if (e.what == step::begun) handlers_.emplace(e.message, sequence_chart::column{e.actor, e.actor_type});
    }
  }
  [[nodiscard]] std::string of(std::uint64_t message) const {
    const auto cause = causes_.find(message);
    if (cause == causes_.end()) return {};
    if (cause->second == 0) return sequence_chart::column{}.name();
    const auto handler = handlers_.find(cause->second);
    return handler == handlers_.end() ? "the handler of message " + name_of_message(cause->second)
                                      : handler->second.name();
  }

 private:
  std::unordered_map<std::uint64_t, std::uint64_t> causes_;
  std::unordered_map<std::uint64_t, sequence_chart::column> handlers_;
};

}  // namespace

std::string handled_message::text() const {
  std::string all(first.message_type.empty() ? "a message" : first.message_type);
  all.append(" ").append(name_of_message(first.message));
  if (!from.empty()) all.append(" from ").append(from);
  all.append(": ").append(end_of(*last));
  if (became) all.append(", became");
  if (stopped) all.append(", stopped");
  append_count(all, "created", created);
  append_count(all, "sent", sent);
  append_times(all, "waited", waited);
  append_times(all, "was undone", undone);
  append_times(all, "went to its home shard", went_home);
  append_times(all, "was put aside", put_aside);
  for (const std::string_view note : notes) all.append(", noted \"").append(note).append("\"");
  return all;
}

void handled_messages::look_at(const event& e, open_messages& open) {
  const bool is_own = e.what == step::over || e.what == step::waits || e.what == step::undone;
  const auto found = open.find(is_own && e.message != 0 ? e.message : e.cause);
  if (found == open.end()) return;
  handled_message& m = found->second;
  switch (e.what) {
    case step::sent:
      m.sent += e.is_undone ? 0 : 1;
      break;
    case step::created:
      m.created += e.is_undone ? 0 : 1;
      break;
    case step::became:
      m.became = m.became || !e.is_undone;
      break;
    case step::stopped:
      m.stopped = m.stopped || !e.is_undone;
      break;
    case step::marked:
      m.notes.push_back(e.text);
      break;
    case step::undone:
      ++m.undone;
      break;
    case step::waits:
      ++m.waited;
      break;
    case step::over:
      m.went_home += e.how == outcome::forwarded ? 1 : 0;
      m.put_aside += e.how == outcome::put_aside ? 1 : 0;
      break;
    default:
      break;
  }
}

std::vector<handled_message> handled_messages::find(const trace& in) {
  const senders known(in);
  std::vector<handled_message> all;
  open_messages open;
  std::unordered_set<std::uint64_t> there;
  for (const event& e : in.events()) {
    const bool begins = (e.what == step::begun || e.what == step::unserved) && e.actor == actor_;
    if (begins && found_.contains(e.message)) there.insert(e.message);
    if (begins && e.message != 0 && !there.contains(e.message)) {
      handled_message& m = open[e.message];
      if (m.first.message == 0) m.first = e;
    }
    if (!open.empty()) look_at(e, open);
    if (!ends_message(e)) continue;
    auto ended = open.extract(e.message);
    if (!ended) continue;
    there.insert(e.message);
    ended.mapped().last = &e;
    ended.mapped().from = known.of(e.message);
    all.push_back(std::move(ended.mapped()));
  }
  found_ = std::move(there);
  return all;
}

}  // namespace tact::inspect
