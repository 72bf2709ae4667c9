#include "inspect/sequence_chart.hpp"

#include "inspect/actor_name.hpp"

namespace tact::inspect {

std::string sequence_chart::column::name() const { return actor == 0 ? "outside" : name_of_actor(type, actor); }

sequence_chart::sequence_chart(const trace& of, std::uint64_t message, std::size_t most) : most_(most) {
  for (const event& e : of.events()) look_at(e, message);
}

// Events come in the order of time, and a message is sent before it is handled: so the actor that sends is known.
void sequence_chart::look_at(const event& e, std::uint64_t first) {
  const auto cause = e.cause == 0 ? handled_by_.end() : handled_by_.find(e.cause);
  const bool is_of_task = cause != handled_by_.end();
  if (e.what == step::sent && (is_of_task || e.message == first)) {
    const std::size_t from = column_of(is_of_task ? cause->second : column{});
    add(row::kind::send, from, column_of({e.actor, e.actor_type}), e);
    handled_by_.try_emplace(e.message, column{e.actor, e.actor_type});
  } else if (e.what == step::over && e.how == outcome::failed && is_of_task) {
    const std::size_t over = column_of(cause->second);
    add(row::kind::failure, over, over, e);
  } else if (e.what == step::marked && is_of_task) {
    const std::size_t over = column_of(cause->second);
    add(row::kind::text, over, over, e);
  }
}

std::size_t sequence_chart::column_of(const column& c) {
  const auto [found, is_new] = numbers_.try_emplace(c.actor, columns_.size());
  if (is_new) columns_.push_back(c);
  return found->second;
}

void sequence_chart::add(row::kind what, std::size_t from, std::size_t to, const event& e) {
  if (rows_.size() == most_) {
    ++left_out_;
  } else {
    rows_.push_back({what, from, to, &e});
  }
}

std::string sequence_chart::left_out() const {
  if (left_out_ == 0) return {};
  return left_out_ == 1 ? "1 more step is not shown" : std::to_string(left_out_) + " more steps are not shown";
}

std::string text_of(const sequence_chart::row& r) {
  using kind = sequence_chart::row::kind;
  if (r.what == kind::text) return std::string(r.of->text);
  if (r.what == kind::failure) return "failed at " + name_of_message(r.of->message);
  const std::string sent = std::string(r.of->message_type) + ' ' + name_of_message(r.of->message);
  return r.of->is_undone ? sent + " (undone)" : sent;
}

}  // namespace tact::inspect
