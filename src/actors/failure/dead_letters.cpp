#include "actors/failure/dead_letters.hpp"

#include <cstdio>
#include <new>

#include "actors/cells/actor_names.hpp"
#include "actors/cells/cell.hpp"
#include "actors/cells/metadata.hpp"
#include "actors/common/this_thread.hpp"
#include "actors/trace/tracing.hpp"
#include "base/answer_name.hpp"
#include "base/reserve.hpp"
#include "sync/system.hpp"
#include "sync/thread_state.hpp"

namespace tact::actors {

namespace {

class inside_sink {
 public:
  explicit inside_sink(bool& inside) noexcept : inside_(inside) { inside_ = true; }
  ~inside_sink() { inside_ = false; }
  inside_sink(const inside_sink&) = delete;
  inside_sink& operator=(const inside_sink&) = delete;

 private:
  bool& inside_;
};

}  // namespace

const detail::behavior_type* last_type(detail::port p) noexcept {
  const cell& c = cell_of(p);
  const auto next = static_cast<std::uint16_t>(generation_of(p) + 1);
  const bool ended = c.generation() == next && c.word.load().is_ended();
  return c.generation() == generation_of(p) || ended ? c.type() : nullptr;
}

std::string_view type_name_of(detail::port p) noexcept {
  if (p <= detail::index_mask || &cell_of(p) == &nobody()) return nobody_name;
  const detail::behavior_type* type = last_type(p);
  return type == nullptr ? "actor" : name_of(*type, type->is_of_ask ? cell_of(p).asked_by() : nullptr);
}

std::string describe(detail::port p) {
  const std::string_view name = type_name_of(p);
  if (name == nobody_name) return std::string(name);
  char address[40];
  if (sync::director* const s = sync::director::current()) {  // a number is the same in every process
    std::snprintf(address, sizeof address, "@%u", s->number_of(p & ~detail::index_mask));
  } else {
    std::snprintf(address, sizeof address, "@%llx#%u",
                  static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(&cell_of(p)) / sizeof(cell)),
                  unsigned{generation_of(p)});
  }
  const std::string given = given_name(p);
  const std::string its = base::with_address(name, address);
  return given.empty() ? its : given + " (" + its + ")";
}

void dead_letters::add(detail::port target, const detail::message_type& message, failure_reason reason,
                       const failure* unheard) noexcept {
  counts_[static_cast<std::size_t>(reason)].fetch_add(1);
  const dead_letter letter = write(target, message, reason, unheard);
  keep(letter);
  show(letter);
}

dead_letter dead_letters::write(detail::port target, const detail::message_type& message, failure_reason reason,
                                const failure* unheard) noexcept {
  constexpr std::size_t needs_no_memory = 15;  // so many characters fit into the string itself
  dead_letter letter{{}, message.name, reason};
  letter.at = sync::clock::now().time_since_epoch();
  letter.trace = recorded_message();
  try {
    letter.target = type_name_of(target).substr(0, needs_no_memory);
    letter.target = describe(target);
    if (reason == failure_reason::target_ended) letter.what = reason_of_end(target);
    if (unheard == nullptr) return letter;
    letter.what = unheard->what;
    letter.causes = unheard->causes;
  } catch (const std::bad_alloc&) {
    // The letter has as much text as there was memory for.
  }
  return letter;
}

void dead_letters::keep(const dead_letter& letter) noexcept {
  if (kept_ == 0) return;
  try {
    const std::lock_guard lock(mutex_);
    if (latest_.size() == kept_) latest_.pop_front();
    latest_.push_back(letter);
  } catch (const std::bad_alloc&) {
    // The letter is counted and shown all the same.
  }
}

// The user's sink may send a message that becomes a dead letter in turn. That letter is counted and kept, but not
// shown, so the sink is never called within itself.
void dead_letters::show(const dead_letter& letter) noexcept {
  bool& in_sink = sync::thread_state::of_this_thread().in_sink;
  if (!sink_ || in_sink) return;
  try {
    const this_thread::callback outside;
    const base::may_not_use_reserve refused_as_usual;
    const inside_sink here(in_sink);
    sink_(letter);
  } catch (...) {
    // A sink that throws must not make the code fail that buries the message.
  }
}

std::vector<dead_letter_count> dead_letters::read_counts() const {
  std::vector<dead_letter_count> all;
  for (std::size_t i = 0; i < reasons; ++i) {
    if (const std::uint64_t n = counts_[i].load()) all.push_back({static_cast<failure_reason>(i), n});
  }
  return all;
}

std::vector<dead_letter> dead_letters::read() const {
  std::lock_guard lock(mutex_);
  return {latest_.begin(), latest_.end()};
}

}  // namespace tact::actors
