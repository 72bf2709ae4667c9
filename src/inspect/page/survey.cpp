#include "inspect/page/survey.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <map>
#include <system_error>
#include <utility>

#include "inspect/page/trace_summary.hpp"
#include "tact/description.hpp"
#include "tact/structure.hpp"

namespace tact::inspect {

namespace {

constexpr int format_version = 1;
constexpr std::size_t mailboxes_most = 50;
constexpr std::size_t kept_most = 50;
constexpr std::size_t types_most = 1'000;
constexpr std::size_t shards_most = 4'096;

using figure = std::pair<std::string_view, std::uint64_t worker_statistics::*>;

constexpr figure figures[] = {
    {"actors_created", &worker_statistics::actors_created},
    {"messages_sent", &worker_statistics::messages_sent},
    {"commits", &worker_statistics::commits},
    {"failures", &worker_statistics::failures},
    {"dead_letters", &worker_statistics::dead_letters},
    {"restarts", &worker_statistics::restarts},
    {"retries", &worker_statistics::retries},
    {"collisions", &worker_statistics::collisions},
    {"forwarded", &worker_statistics::forwarded},
    {"gulps", &worker_statistics::gulps},
    {"gulped", &worker_statistics::gulped},
    {"published", &worker_statistics::published},
    {"chunks_published", &worker_statistics::chunks_published},
    {"steal_attempts", &worker_statistics::steal_attempts},
    {"shards_stolen", &worker_statistics::shards_stolen},
    {"messages_stolen", &worker_statistics::messages_stolen},
    {"adoptions", &worker_statistics::adoptions},
    {"parks", &worker_statistics::parks},
    {"wakes", &worker_statistics::wakes},
};

json_builder open(std::string_view kind) {
  json_builder t;
  t.open_object().with("tact", format_version).with("kind", kind);
  return t;
}

std::string refusal(std::string_view text) { return open("problem").with("text", text).close_object().take(); }

void write_sums(const statistics& s, json_builder& to) {
  to.name("all").open_object();
  for (const auto& [name, member] : figures) to.with(name, s.*member);
  to.with("workers", s.workers).with("running", s.running).with("pinned", s.pinned).with("searchers", s.searchers);
  to.with("shards", s.shards).with("actors_alive", s.actors_alive).with("refused", s.refused);
  to.with("waiting", s.waiting)
      .with("outside_asks", s.outside_asks)
      .with("stacks", s.stacks)
      .with("in_flight", s.in_flight());
  to.with("timers_armed", s.timers_armed).with("timers_fired", s.timers_fired);
  to.with("timers_cancelled", s.timers_cancelled).with("timers_dropped", s.timers_dropped);
  to.with("chunks_held", s.chunks_held).with("bytes_held", s.bytes_held).with("allocations", s.allocations);
  to.close_object();
}

void write_workers(const std::vector<worker_statistics>& workers, json_builder& to) {
  to.name("worker_figures").open_array();
  for (const auto& f : figures) to.add(f.first);
  to.close_array().name("workers").open_array();
  for (const worker_statistics& w : workers) {
    to.open_array();
    for (const auto& f : figures) to.add(w.*f.second);
    to.close_array();
  }
  to.close_array();
}

void write_shards(const std::vector<std::uint64_t>& depths, json_builder& to) {
  to.with("shards_seen", depths.size()).name("shards").open_array();
  for (std::size_t i = 0; i != std::min(shards_most, depths.size()); ++i) to.add(depths[i]);
  to.close_array();
}

double in_us(std::uint64_t ns) { return static_cast<double>(ns) / 1000.0; }

void write_measured(const type_metrics& m, json_builder& to) {
  to.with("messages", m.messages).with("time_us", static_cast<double>(m.busy.count()) / 1000.0);
  to.with("sent", m.sent).with("answered", m.answered).with("unanswered", m.unanswered);
  for (const auto& [name, of] : {std::pair("handling_us", &m.handling), std::pair("waiting_us", &m.waiting)}) {
    if (of->count() == 0) continue;
    to.name(name).open_array().add(in_us(of->median())).add(in_us(of->quantile(0.99))).add(in_us(of->max()));
    to.close_array();
  }
}

void write_threads(const std::vector<thread_description>& threads, json_builder& to) {
  to.name("threads").open_array();
  for (const thread_description& t : threads) {
    to.open_array().add(to_string(t.doing)).add(t.actor).add(t.message).add(t.thread).close_array();
  }
  to.close_array();
}

void write_reasons(const std::vector<dead_letter_count>& counts, json_builder& to) {
  to.name("dead_by_reason").open_array();
  for (const dead_letter_count& c : counts) to.open_array().add(to_string(c.reason)).add(c.messages).close_array();
  to.close_array();
}

void write_mailboxes(const std::vector<mailbox_depth>& mailboxes, json_builder& to) {
  to.name("mailboxes").open_array();
  for (const mailbox_depth& m : mailboxes) {
    to.open_object().with("actor", m.actor).with("messages", m.messages).with("bytes", m.bytes);
    to.with("limit_messages", m.limit.messages).with("limit_bytes", m.limit.bytes).with("fill", m.fill());
    to.with("oldest_ms", static_cast<double>(m.oldest.count()) / 1e6).with("refused", m.refused).close_object();
  }
  to.close_array();
}

void write_kept(const std::vector<kept_request>& requests, json_builder& to) {
  to.with("kept_seen", requests.size()).name("kept").open_array();
  for (std::size_t i = 0; i != std::min(kept_most, requests.size()); ++i) {
    const kept_request& r = requests[i];
    to.open_object().with("actor", r.actor).with("message", r.message);
    to.with("kept_ms", static_cast<double>(r.kept.count()) / 1e6).close_object();
  }
  to.close_array();
}

void write_dead_letters(const std::vector<dead_letter>& letters, json_builder& to) {
  to.name("dead").open_array();
  for (const dead_letter& d : letters) {
    to.open_object().with("target", d.target).with("message", d.message).with("reason", to_string(d.reason));
    to.with("trace", std::to_string(d.trace)).with("what", d.what).name("causes").open_array();
    for (const std::string& c : d.causes) to.add(c);
    to.close_array().close_object();
  }
  to.close_array();
}

void write_scopes(const structure& s, json_builder& to) {
  to.with("scopes_open", s.scopes_open).name("scopes").open_array();
  for (const scope_description& d : s.scopes) {
    to.open_object().with("depth", d.depth).with("name", d.name).with("members", d.members).with("ends", d.ends);
    to.name("some").open_array();
    for (const std::string& m : d.some_members) to.add(m);
    to.close_array().close_object();
  }
  to.close_array();
}

void write_supervised(const structure& s, json_builder& to) {
  to.with("supervision_trees", s.supervision_trees).name("supervised").open_array();
  for (const supervised_description& d : s.supervised) {
    to.open_object().with("depth", d.depth).with("supervisor", d.is_supervisor).with("name", d.name);
    to.with("kind", d.kind).with("children", d.children).with("restarts", d.restarts);
    to.with("last_failure", d.last_failure).with("ends", d.ends).with("failed", d.has_failed).close_object();
  }
  to.close_array();
}

void write_topics(const structure& s, json_builder& to) {
  to.with("topics_alive", s.topics_alive).name("topics").open_array();
  for (const topic_description& d : s.topics) {
    to.open_object().with("actor", d.actor).with("message", d.message).with("subscribers", d.subscribers);
    to.close_object();
  }
  to.close_array();
}

void write_timers(const structure& s, json_builder& to) {
  to.with("timers_known", s.timers_known).name("timers").open_array();
  for (const timer_description& d : s.timers) {
    to.open_object().with("left_ms", static_cast<double>(d.left.count()) / 1e6).with("actor", d.actor);
    to.with("message", d.message).close_object();
  }
  to.close_array();
}

}  // namespace

std::string survey::hello() const {
  json_builder t = open("hello");
  t.with("program", program_invocation_short_name).with("process", ::getpid());
  t.with("control", allow_control_).with("recorder", recorder_ != nullptr);
  const placement_plan& plan = engine_.plan();
  t.with("pinned", plan.pinned).name("seats").open_array();
  for (const seat& s : plan.seats) {
    t.open_object().with("processing_unit", s.processing_unit).with("core", s.core).with("cache", s.cache);
    t.with("memory", s.memory).with("package", s.package).close_object();
  }
  return t.close_array().close_object().take();
}

void survey::look_at_cells() {
  types_ = engine_.type_statistics();
  mailboxes_ = engine_.fullest_mailboxes(mailboxes_most);
}

void survey::measure() {
  if (!metrics_) metrics_ = std::make_unique<metrics>(engine_);
  measured_ = metrics_->read();
}

// Those of which some are alive, and behind them those of which some have been.
void survey::write_types(json_builder& to) const {
  std::map<std::string_view, const type_metrics*> left;
  for (const type_metrics& m : measured_.types) left.emplace(m.actor, &m);
  to.with("types_seen", types_.size()).name("types").open_array();
  for (std::size_t i = 0; i != std::min(types_most, types_.size()); ++i) {
    const type_statistics& t = types_[i];
    to.open_object().with("actor", t.actor).with("alive", t.alive).with("at_home", t.at_home);
    to.with("collisions", t.collisions).with("went_home", t.went_home).with("came_back", t.came_back);
    if (const auto its = left.extract(t.actor)) write_measured(*its.mapped(), to);
    to.close_object();
  }
  for (const auto& [actor, m] : left) {
    to.open_object().with("actor", actor).with("alive", 0).with("collisions", 0).with("went_home", 0);
    write_measured(*m, to);
    to.close_object();
  }
  to.close_array();
}

std::string survey::snapshot() {
  of_cells_.step([this] { look_at_cells(); });
  of_metrics_.step([this] { measure(); });
  json_builder t = open("snapshot");
  const std::chrono::duration<double> at = std::chrono::steady_clock::now() - begin_;
  t.with("number", ++snapshots_).with("at", at.count());
  t.with("recording", recorder_ != nullptr && recorder_->is_on());
  write_sums(engine_.statistics(), t);
  write_workers(engine_.worker_statistics(), t);
  write_shards(engine_.shard_depths(), t);
  write_types(t);
  write_threads(measured_.threads, t);
  write_reasons(measured_.dead_letters, t);
  write_mailboxes(mailboxes_, t);
  write_kept(measured_.kept, t);
  write_dead_letters(engine_.dead_letters(), t);
  return t.close_object().take();
}

std::shared_ptr<const trace> survey::latest_trace() {
  if (recorder_ != nullptr && !trace_) trace_ = std::make_shared<const trace>(recorder_->read());
  return trace_;
}

std::string survey::trace_told() {
  of_traces_.step([this] {
    trace_ = std::make_shared<const trace>(recorder_->read());
    json_builder t = open("trace");
    summarize(*trace_, t);
    trace_told_ = t.close_object().take();
  });
  return trace_told_;
}

std::string survey::structure_told() {
  of_structure_.step([this] {
    const structure s = engine_.structure();
    json_builder t = open("structure");
    write_scopes(s, t);
    write_supervised(s, t);
    write_topics(s, t);
    write_timers(s, t);
    structure_told_ = t.close_object().take();
  });
  return structure_told_;
}

std::string survey::switched(std::string_view wish) {
  if (!allow_control_)
    return refusal("The recorder is switched by the program only: live_page_options.allow_control is false.");
  wish == "start" ? recorder_->start() : recorder_->stop();
  return open("switched").with("recording", recorder_->is_on()).close_object().take();
}

std::string survey::why(std::string_view message) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(message.data(), message.data() + message.size(), number);
  if (error != std::errc() || end != message.data() + message.size())
    return refusal("A message is asked for by its number.");
  auto steps = latest_trace();
  // It may be newer than the trace that was told.
  if (steps->causes_of(number).empty())
    of_traces_.step([&] { steps = std::make_shared<const trace>(recorder_->read()); });
  return open("why").with("message", message).with("text", steps->why(number)).close_object().take();
}

std::string survey::answer(const request_text& asked) {
  const std::string_view wish = asked["do"];
  if (wish == "structure") return structure_told();
  const bool is_known = wish == "trace" || wish == "why" || wish == "start" || wish == "stop";
  if (!is_known) return refusal("The page asks for something that this program does not know.");
  if (recorder_ == nullptr) return refusal("The program has given the page no tact::inspect::recorder.");
  if (wish == "trace") return trace_told();
  return wish == "why" ? why(asked["message"]) : switched(wish);
}

void survey::forget() noexcept {
  metrics_.reset();
  measured_ = {};
  of_metrics_ = pace{std::chrono::milliseconds(200), 50};
  trace_.reset();
  trace_told_.clear();
  structure_told_.clear();
  of_structure_ = pace{std::chrono::milliseconds(500), 50};
  of_traces_ = pace{std::chrono::milliseconds(500), 10};
}

}  // namespace tact::inspect
