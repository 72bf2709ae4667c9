// tact::explore: one simulation after the other, and fewer switches for one that failed.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <optional>
#include <ostream>
#include <utility>

#include "base/struct_text.hpp"
#include "tact/simulation.hpp"
#include "tools/simulated/message_contents.hpp"

namespace tact {
namespace {

using program = std::function<void(simulation&)>;

constexpr std::uint64_t shrinking_points = 50'000'000;  // in all runs together: some ten seconds
constexpr std::size_t shown_turns = 32;

struct result {
  bool failed = false;
  std::string what;
  schedule so_far;
  std::uint64_t switches = 0;
  std::uint64_t points = 0;
  std::string trace;
};

// Called before the simulation ends, so that the record stops at the failure: the end of the engine is no part of it.
void take_down(result& o, const simulation& sim, bool with_trace) {
  o.so_far = sim.so_far();
  o.switches = sim.switches();
  if (with_trace) o.trace = sim.trace();
}

result run_once(const schedule& as, const program& p, bool with_trace = false) {
  result o;
  std::optional<simulated::message_contents::left_out> unread;
  if (!with_trace) unread.emplace();
  simulation sim(as);
  try {
    p(sim);
  } catch (const std::exception& e) {
    o.failed = true;
    o.what = e.what();
  } catch (...) {
    o.failed = true;
    o.what = "an exception that is no std::exception";
  }
  take_down(o, sim, with_trace);
  sim.end();
  if (!o.failed && !sim.failure().empty()) {
    o.failed = true;
    o.what = sim.failure();
  }
  o.points = sim.points();
  return o;
}

// Leaves out turns, in ever smaller pieces and at last any two at once, as long as the failure stays the same and the
// schedule gets shorter: fewer switches, or fewer turns with as many switches.
class shrinker {
 public:
  shrinker(const program& p, result found, const explore_options& with)
      : program_(&p), best_(std::move(found)), runs_left_(with.shrinking_runs) {}

  result shrink() {
    accept(0, best_.so_far.turns.size());
    for (std::size_t piece = std::max<std::size_t>(best_.so_far.turns.size() / 2, 1);; piece = (piece + 1) / 2) {
      const bool fewer = leave_out_pieces(piece) || (piece == 1 && leave_out_two());
      if (is_over() || (piece == 1 && !fewer)) return best_;
    }
  }

 private:
  [[nodiscard]] bool is_over() const noexcept { return runs_left_ == 0 || points_ > shrinking_points; }

  bool leave_out_pieces(std::size_t piece) {
    bool fewer = false;
    for (std::size_t at = 0; at < best_.so_far.turns.size();) {
      if (is_over()) break;
      if (accept(at, piece)) {
        fewer = true;
      } else {
        at += piece;
      }
    }
    return fewer;
  }

  // Tries to leave out two turns at once: some turns matter only to each other.
  bool leave_out_two() {
    const std::size_t count = best_.so_far.turns.size();
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = a + 1; b < count && !is_over(); ++b) {
        if (accept(a, 1, b)) return true;
      }
    }
    return false;
  }

  // Runs the program without these turns. If it fails in the same way, in a shorter schedule, they are left out for
  // good.
  bool accept(std::size_t from, std::size_t count, std::size_t also = none) {
    if (is_over()) return false;
    --runs_left_;
    schedule candidate = best_.so_far;
    if (also != none) candidate.turns.erase(candidate.turns.begin() + static_cast<std::ptrdiff_t>(also));
    const auto first = candidate.turns.begin() + static_cast<std::ptrdiff_t>(from);
    const std::size_t left = candidate.turns.size() - from;
    candidate.turns.erase(first, first + static_cast<std::ptrdiff_t>(std::min(count, left)));
    result o = run_once(candidate, *program_);
    points_ += o.points;
    if (!o.failed || o.what != best_.what || size_of(o) >= size_of(best_)) return false;
    best_ = std::move(o);
    return true;
  }

  [[nodiscard]] static std::pair<std::uint64_t, std::size_t> size_of(const result& o) noexcept {
    return {o.switches, o.so_far.turns.size()};
  }

  static constexpr std::size_t none = ~std::size_t{0};

  const program* program_;
  result best_;
  unsigned runs_left_;
  std::uint64_t points_ = 0;
};

void look_closer(exploration& e, const result& found, const program& p, const explore_options& with) {
  e.failed = true;
  e.seed = found.so_far.seed;
  e.what = found.what;
  e.switches_seed = found.switches;
  const result again = run_once({.seed = e.seed, .points_max = with.points_max}, p);
  e.repeatable = again.failed && again.what == found.what && again.so_far.turns == found.so_far.turns;
  const schedule shortest = e.repeatable ? shrinker(p, found, with).shrink().so_far : found.so_far;
  const result last = run_once(shortest, p, true);
  e.repeatable = e.repeatable && last.failed && last.what == found.what;
  e.shortest = shortest;
  e.switches = last.switches;
  e.trace = last.trace;
}

}  // namespace

std::string exploration::text() const {
  if (!failed) return "tact::explore: " + std::to_string(schedules) + " schedules, none failed\n";
  std::string all = "tact::explore: schedule " + std::to_string(schedules) + " failed: " + what + "\n";
  all += "  to repeat it: tact::simulation sim{" + std::to_string(seed) + "}, " + std::to_string(switches_seed) +
         " switches\n";
  if (!repeatable) {
    return all + "  it did not fail so a second time: something in the program is left to chance beside the engine\n" +
           trace;
  }
  all += "  the shortest that was found has " + std::to_string(switches) +
         " switches: tact::schedule{.seed = " + std::to_string(seed) + ", .in_full = true, .turns = {";
  for (std::size_t i = 0; i < shortest.turns.size() && i < shown_turns; ++i) {
    const schedule::turn& t = shortest.turns[i];
    all += (i == 0 ? "{" : ", {") + std::to_string(t.from) + ", " + std::to_string(t.to) + ", " +
           std::to_string(t.nth) + "}";
  }
  return all + (shortest.turns.size() > shown_turns ? ", and more}}\n" : "}}\n") + trace;
}

std::ostream& operator<<(std::ostream& out, const exploration& e) { return out << e.text(); }

std::ostream& operator<<(std::ostream& out, const schedule& s) {
  std::string turns;
  for (const schedule::turn& t : s.turns)
    turns += (turns.empty() ? "{" : ", {") + std::to_string(t.from) + ", " + std::to_string(t.to) + ", " +
             std::to_string(t.nth) + "}";
  return out << base::struct_text("schedule")
                    .with("seed", s.seed)
                    .with("in_full", s.in_full)
                    .with("turns", base::code{"{" + turns + "}"})
                    .with("points_max", s.points_max)
                    .text();
}

std::ostream& operator<<(std::ostream& out, const explore_options& o) {
  return out << base::struct_text("explore_options")
                    .with("seed", o.seed)
                    .with("shrinking_runs", o.shrinking_runs)
                    .with("points_max", o.points_max)
                    .with("prints", o.prints)
                    .text();
}

exploration explore(std::uint64_t schedules, const std::function<void(simulation&)>& program,
                    const explore_options& options) {
  if (schedules == 0) throw usage_error("tact::explore: with 0 schedules nothing is tried: give 1 at least");
  exploration e;
  while (e.schedules < schedules && !e.failed) {
    const std::uint64_t seed = options.seed + e.schedules++;
    const result o = run_once({.seed = seed, .points_max = options.points_max}, program);
    if (o.failed) look_closer(e, o, program, options);
  }
  if (e.failed && options.prints) std::fputs(e.text().c_str(), stderr);
  return e;
}

}  // namespace tact
