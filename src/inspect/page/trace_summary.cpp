#include "inspect/page/trace_summary.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "inspect/actor_name.hpp"
#include "inspect/handler_slices.hpp"

namespace tact::inspect {

namespace {

// A page draws no more of them, and what is sent to it stays small.
constexpr std::size_t slices_most = 20'000;
constexpr std::size_t actors_most = 1'000;
constexpr std::size_t dead_most = 200;

using slices = std::vector<std::vector<handler_slice>>;

// Microseconds with three digits behind the point.
double in_us(std::chrono::nanoseconds t) { return static_cast<double>(t.count()) / 1000.0; }

std::string_view known(std::string_view type) { return type.empty() ? "not known" : type; }

// A handler has run; the others were only looked at, and handed on.
bool has_run(const handler_slice& s) noexcept {
  return s.how != outcome::forwarded && s.how != outcome::put_aside && s.how != outcome::dead;
}

// Texts by small numbers.
class text_table {
 public:
  std::size_t number_of(std::string_view text) {
    const auto [at, is_new] = numbers_.emplace(text, texts_.size());
    if (is_new) texts_.push_back(text);
    return at->second;
  }
  // Of the name of the actor.
  std::size_t number_of(std::uint64_t actor, std::string_view type) {
    const auto [at, is_new] = actors_.emplace(actor, 0);
    if (is_new) at->second = number_of(names_.emplace_back(name_of_actor(type, actor)));
    return at->second;
  }
  void write(json_builder& to) const {
    to.name("texts").open_array();
    for (const std::string_view t : texts_) to.add(t);
    to.close_array();
  }

 private:
  std::unordered_map<std::string_view, std::size_t> numbers_;
  std::vector<std::string_view> texts_;
  std::unordered_map<std::uint64_t, std::size_t> actors_;
  std::deque<std::string> names_;  // texts_ refers to them
};

// Actors that take several messages at a time, and handlers that wait, count for as long as they run.
void write_kinds(const slices& all, json_builder& to, text_table& texts) {
  std::map<std::pair<std::string_view, std::string_view>, std::vector<std::chrono::nanoseconds>> times;
  for (const auto& thread : all) {
    for (const handler_slice& s : thread)
      if (has_run(s)) times[{known(s.first->actor_type), known(s.first->message_type)}].push_back(s.end - s.begin);
  }
  to.name("kinds").open_array();
  for (auto& [of, took] : times) {
    std::chrono::nanoseconds sum{0};
    for (const auto t : took) sum += t;
    const auto middle = took.begin() + static_cast<std::ptrdiff_t>(took.size() / 2);
    std::nth_element(took.begin(), middle, took.end());
    const auto median = *middle;
    to.open_array().add(texts.number_of(of.first)).add(texts.number_of(of.second)).add(took.size());
    to.add(in_us(sum)).add(in_us(median)).add(in_us(*std::max_element(took.begin(), took.end()))).close_array();
  }
  to.close_array();
}

void write_sends(const trace& t, json_builder& to, text_table& texts) {
  std::unordered_map<std::uint64_t, std::string_view> handlers;  // of the messages
  for (const event& e : t.events()) {
    if (e.what == step::begun) handlers[e.message] = known(e.actor_type);
  }
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, std::pair<std::size_t, std::size_t>> sends;
  for (const event& e : t.events()) {
    if (e.what != step::sent) continue;
    const auto from = handlers.find(e.cause);
    const std::string_view sender = e.cause == 0             ? "threads outside"
                                    : from == handlers.end() ? "not known"
                                                             : from->second;
    auto& count = sends[{sender, known(e.actor_type), known(e.message_type)}];
    ++count.first;
    count.second += e.is_undone ? 1U : 0U;
  }
  to.name("sends").open_array();
  for (const auto& [of, count] : sends) {
    const auto& [from, target, message] = of;
    to.open_array().add(texts.number_of(from)).add(texts.number_of(target)).add(texts.number_of(message));
    to.add(count.first).add(count.second).close_array();
  }
  to.close_array();
}

void write_actors(const slices& all, json_builder& to, text_table& texts) {
  struct work {
    std::string_view type{};
    std::size_t messages = 0;
    std::chrono::nanoseconds time{0};
  };
  std::unordered_map<std::uint64_t, work> works;
  for (const auto& thread : all) {
    for (const handler_slice& s : thread) {
      if (!has_run(s)) continue;
      work& w = works[s.first->actor];
      w.type = s.first->actor_type;
      ++w.messages;
      w.time += s.end - s.begin;
    }
  }
  std::vector<std::pair<std::uint64_t, work>> hottest(works.begin(), works.end());
  const std::size_t kept = std::min(actors_most, hottest.size());
  std::partial_sort(hottest.begin(), hottest.begin() + static_cast<std::ptrdiff_t>(kept), hottest.end(),
                    [](const auto& a, const auto& b) {
                      return std::pair(b.second.time, a.first) < std::pair(a.second.time, b.first);
                    });
  to.with("actors_seen", hottest.size()).name("actors").open_array();
  hottest.resize(kept);
  for (const auto& [actor, w] : hottest) {
    to.open_array().add(texts.number_of(actor, w.type)).add(w.messages).add(in_us(w.time)).close_array();
  }
  to.close_array();
}

void write_slice(const handler_slice& s, std::chrono::nanoseconds start, json_builder& to, text_table& texts) {
  to.open_array().add(in_us(s.begin - start)).add(in_us(s.end - s.begin));
  to.add(texts.number_of(known(s.first->actor_type))).add(texts.number_of(known(s.first->message_type)));
  // The number of a message is larger than the integers of JavaScript.
  to.add(texts.number_of(word_of(s.how))).add(std::to_string(s.first->message));
  to.add(texts.number_of(s.first->actor, s.first->actor_type)).close_array();
}

// The newest ones, with those that were begun in the same time on other threads.
void write_slices(const trace& t, const slices& all, json_builder& to, text_table& texts) {
  std::vector<std::chrono::nanoseconds> begins;
  for (const auto& thread : all) {
    for (const handler_slice& s : thread) begins.push_back(s.begin);
  }
  std::chrono::nanoseconds from{0};
  if (begins.size() > slices_most) {
    const auto at = begins.end() - static_cast<std::ptrdiff_t>(slices_most);
    std::nth_element(begins.begin(), at, begins.end());
    from = *at;
  }
  const auto start = t.events().empty() ? std::chrono::nanoseconds(0) : t.events().front().at;
  to.with("slices_seen", begins.size()).name("threads").open_array();
  for (std::size_t i = 0; i != all.size(); ++i) {
    to.open_object().with("name", t.threads()[i]).name("slices").open_array();
    for (const handler_slice& s : all[i]) {
      if (s.end >= from) write_slice(s, start, to, texts);
    }
    to.close_array().close_object();
  }
  to.close_array();
}

void write_dead(const trace& t, json_builder& to, text_table& texts) {
  std::vector<const event*> dead;
  for (auto e = t.events().rbegin(); e != t.events().rend() && dead.size() < dead_most; ++e) {
    if (e->what == step::unserved) dead.push_back(&*e);
  }
  to.name("dead").open_array();
  for (const event* e : dead) {
    to.open_array().add(texts.number_of(known(e->message_type))).add(texts.number_of(e->actor, e->actor_type));
    to.add(texts.number_of(to_string(e->why))).add(std::to_string(e->message)).close_array();
  }
  to.close_array();
}

}  // namespace

void summarize(const trace& t, json_builder& to) {
  slices all = slices_of(t);
  for (auto& thread : all) {
    // This handler still runs.
    if (!thread.empty() && thread.back().how == outcome::none) thread.back().end = t.events().back().at;
  }
  text_table texts;
  to.with("events", t.events().size()).with("lost", t.lost());
  write_kinds(all, to, texts);
  write_sends(t, to, texts);
  write_actors(all, to, texts);
  write_slices(t, all, to, texts);
  write_dead(t, to, texts);
  texts.write(to);
}

}  // namespace tact::inspect
