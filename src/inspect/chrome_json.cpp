// Writes a trace in the JSON format of Chrome.
#include <algorithm>
#include <cstdio>
#include <ostream>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "inspect/actor_name.hpp"
#include "inspect/handler_slices.hpp"
#include "inspect/json_text.hpp"
#include "tact/inspect/trace.hpp"

namespace tact::inspect {

namespace {

using std::chrono::nanoseconds;

constexpr int threads_process = 1;
constexpr int actors_process = 2;

// Writes one record after the other. Records stand in a bare array, because its end may be missing.
class json_writer {
 public:
  json_writer(std::ostream& to, nanoseconds begin) : to_(to), begin_(begin) { to_ << "["; }
  ~json_writer() { to_ << "\n]\n"; }
  json_writer(const json_writer&) = delete;
  json_writer& operator=(const json_writer&) = delete;

  void name(const char* what, int process, std::size_t track, std::string_view text) {
    record() << R"({"ph":"M","name":")" << what << R"(","pid":)" << process << R"(,"tid":)" << track
             << R"(,"args":{"name":)" << json_text(text) << "}}";
  }
  void put(int process, std::size_t track, const handler_slice& s) {
    record() << R"({"ph":"X","cat":"handler","name":)" << json_text(s.first->message_type)
             << at(process, track, s.begin) << R"(,"dur":)" << microseconds(s.end - s.begin) << R"(,"args":{"actor":)"
             << json_text(name_of_actor(s.first->actor_type, s.first->actor)) << R"(,"message":")"
             << name_of_message(s.first->message) << R"(","outcome":")" << word_of(s.how) << R"(","undone":)"
             << s.undone << "}}";
  }
  void put_outside_send(std::size_t track, const event& e) {
    record() << R"({"ph":"X","cat":"send","name":)" << json_text(e.message_type) << at(threads_process, track, e.at)
             << R"(,"dur":0.001,"args":{"message":")" << name_of_message(e.message) << R"("}})";
  }
  void put_sleep(std::size_t track, nanoseconds from, nanoseconds to) {
    record() << R"({"ph":"X","cat":"worker","name":"asleep")" << at(threads_process, track, from) << R"(,"dur":)"
             << microseconds(to - from) << "}";
  }
  void put_instant(std::size_t track, const event& e, std::string_view text) {
    record() << R"({"ph":"i","s":"t","cat":"step","name":)" << json_text(text) << at(threads_process, track, e.at)
             << "}";
  }
  // The arrow binds to the slice in which it lies. Both its ends have the same number.
  void put_arrow(char phase, std::size_t track, nanoseconds when, std::size_t number) {
    record() << R"({"ph":")" << phase << R"(","bp":"e","cat":"message","name":"message","id":)" << number
             << at(threads_process, track, when) << "}";
  }

 private:
  std::ostream& record() {
    to_ << (is_first_ ? "\n" : ",\n");
    is_first_ = false;
    return to_;
  }
  [[nodiscard]] std::string at(int process, std::size_t track, nanoseconds when) const {
    return R"(,"pid":)" + std::to_string(process) + R"(,"tid":)" + std::to_string(track) + R"(,"ts":)" +
           microseconds(when - begin_);
  }
  [[nodiscard]] static std::string microseconds(nanoseconds t) {
    char text[40];
    std::snprintf(text, sizeof text, "%lld.%03lld", static_cast<long long>(t.count() / 1000),
                  static_cast<long long>(t.count() % 1000));
    return text;
  }

  std::ostream& to_;
  const nanoseconds begin_;
  bool is_first_ = true;
};

// An actor that handles several messages at once has as many tracks.
class actor_tracks {
 public:
  explicit actor_tracks(json_writer& to) noexcept : to_(to) {}

  void put(const handler_slice& s) {
    std::vector<lane>& lanes = lanes_[s.first->actor];
    auto free = std::find_if(lanes.begin(), lanes.end(), [&](const lane& l) { return l.busy_until <= s.begin; });
    if (free == lanes.end()) {
      lanes.push_back({++last_track_, s.begin});
      free = lanes.end() - 1;
      to_.name("thread_name", actors_process, free->track, name_of_actor(s.first->actor_type, s.first->actor));
    }
    free->busy_until = s.end;
    to_.put(actors_process, free->track, s);
  }

 private:
  struct lane {
    std::size_t track;
    nanoseconds busy_until;
  };
  json_writer& to_;
  std::unordered_map<std::uint64_t, std::vector<lane>> lanes_;
  std::size_t last_track_ = 0;
};

}  // namespace

void trace::write_chrome_json(std::ostream& to) const {
  json_writer out(to, events_.empty() ? nanoseconds(0) : events_.front().at);
  out.name("process_name", threads_process, 0, "threads");
  out.name("process_name", actors_process, 0, "actors");
  const auto slices = slices_of(*this);
  actor_tracks actors(out);
  std::vector<handler_slice> in_order;
  for (std::size_t t = 0; t < threads_.size(); ++t) {
    out.name("thread_name", threads_process, t, threads_[t]);
    for (const handler_slice& s : slices[t]) out.put(threads_process, t, s);
    in_order.insert(in_order.end(), slices[t].begin(), slices[t].end());
  }
  std::stable_sort(in_order.begin(), in_order.end(),
                   [](const handler_slice& a, const handler_slice& b) { return a.begin < b.begin; });
  for (const handler_slice& s : in_order) actors.put(s);
  // An arrow without an end, or without a beginning, is shown nowhere.
  std::unordered_set<std::uint64_t> handled;
  std::size_t arrows = 0;
  std::vector<unsigned> handlers_open(threads_.size());  // an arrow begins within a slice
  std::unordered_map<std::uint64_t, std::size_t> drawn;
  std::unordered_map<unsigned, nanoseconds> asleep_since;  // by thread
  for (const event& e : events_) {
    if (e.what == step::begun) handled.insert(e.message);
  }
  for (const event& e : events_) {
    if (e.what == step::sent) {
      if (handlers_open[e.thread] == 0) out.put_outside_send(e.thread, e);
      if (!e.is_undone && handled.contains(e.message)) {
        out.put_arrow('s', e.thread, e.at, drawn.emplace(e.message, ++arrows).first->second);
      }
    } else if (e.what == step::begun) {
      handlers_open[e.thread] = 1;
      if (const auto arrow = drawn.extract(e.message)) out.put_arrow('f', e.thread, e.at, arrow.mapped());
    } else if (e.what == step::goes_on) {
      ++handlers_open[e.thread];
    } else if (e.what == step::over || e.what == step::waits) {
      if (handlers_open[e.thread] != 0) --handlers_open[e.thread];
    } else if (e.what == step::parked) {
      handlers_open[e.thread] = 0;
      asleep_since[e.thread] = e.at;
    } else if (e.what == step::woke) {
      if (const auto since = asleep_since.extract(e.thread)) out.put_sleep(e.thread, since.mapped(), e.at);
    } else if (e.what == step::stole) {
      out.put_instant(e.thread, e, "took a shard from another worker");
    } else if (e.what == step::restarted) {
      out.put_instant(e.thread, e, "restarted: " + name_of_actor(e.actor_type, e.actor));
    } else if (e.what == step::marked) {
      out.put_instant(e.thread, e, e.text);
    } else if (e.what == step::unserved) {
      out.put_instant(e.thread, e,
                      std::string("dead letter: ")
                          .append(e.message_type)
                          .append(" for ")
                          .append(name_of_actor(e.actor_type, e.actor)));
    }
  }
}

}  // namespace tact::inspect
