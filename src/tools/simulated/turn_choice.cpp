#include "tools/simulated/turn_choice.hpp"

#include <algorithm>

namespace tact::simulated {
namespace {

constexpr unsigned in_a_row_max = 500;  // then another thread must go on, so that all do

}  // namespace

turn_choice::turn_choice(const schedule& as)
    : as_(as),
      choices_(base::random(as.seed).next()),  // else neighbouring seeds would share their sequences, shifted by one
      kind_(choices_.one_in(3) ? kind::priority : kind::uniform),
      change_odds_(1u << choices_.below(7)) {
  for (const schedule::turn& t : as.turns) chosen_.emplace(std::pair{t.from, t.nth}, t.to);
}

bool turn_choice::any_other(const thread_list& threads, unsigned running) noexcept {
  return std::any_of(threads.begin(), threads.end(),
                     [=](const auto& t) { return t->now == phase::runnable && t->index != running; });
}

unsigned turn_choice::next_after(const thread_list& threads, unsigned index) noexcept {
  const auto count = static_cast<unsigned>(threads.size());
  for (unsigned n = 1; n < count; ++n) {
    const unsigned next = (index + n) % count;
    if (threads[next]->now == phase::runnable) return next;
  }
  return index;
}

unsigned turn_choice::choose(const thread_list& threads, unsigned running, stays s) noexcept {
  const unsigned usual = s == stays::likely ? running : next_after(threads, running);
  const std::uint64_t point = threads[running]->points;
  unsigned next = usual;
  if (as_.in_full) {
    const auto chosen = chosen_.find({running, point});
    if (chosen != chosen_.end() && chosen->second < threads.size() && threads[chosen->second]->now == phase::runnable) {
      next = chosen->second;
    }
  } else {
    next = choose_by_seed(threads, running, s, usual);
  }
  if (next != usual) turns_.push_back({running, next, point});
  return next;
}

unsigned turn_choice::choose_by_seed(const thread_list& threads, unsigned running, stays s, unsigned usual) noexcept {
  if (!any_other(threads, running)) return usual;
  const bool tired = in_a_row_ >= in_a_row_max;
  const bool not_the_running = s != stays::likely || tired;
  if (kind_ == kind::priority) {
    if (not_the_running || choices_.one_in(2 * change_odds_)) threads[running]->priority = --lowest_priority_;
    return highest(threads, not_the_running ? std::optional(running) : std::nullopt);
  }
  if (!not_the_running && !choices_.one_in(change_odds_)) return running;
  unsigned others = 0;
  for (const auto& t : threads) others += t->now == phase::runnable && t->index != running;
  unsigned skip = choices_.below(others);
  for (const auto& t : threads) {
    if (t->now == phase::runnable && t->index != running && skip-- == 0) return t->index;
  }
  return usual;
}

// REQUIRES: a thread other than `but_for` is runnable.
unsigned turn_choice::highest(const thread_list& threads, std::optional<unsigned> but_for) noexcept {
  const thread_record* best = nullptr;
  for (const auto& t : threads) {
    if (t->now != phase::runnable || but_for == t->index) continue;
    if (best == nullptr || t->priority > best->priority) best = t.get();
  }
  return best->index;
}

schedule turn_choice::so_far() const {
  return {.seed = as_.seed, .in_full = true, .turns = turns_, .points_max = as_.points_max};
}

}  // namespace tact::simulated
