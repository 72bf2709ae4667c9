// How the threads of a model take turns, and their time.
#include "tools/modelled/world.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <tuple>

#include "fiber/stack_pool.hpp"
#include "sync/thread_state.hpp"
#include "tact/failure.hpp"

namespace tact::modelled {
namespace {

constexpr std::size_t stack_bytes = 1024 * 1024;  // of which only what is used takes up memory

// Never destroyed: one model after the other uses the same stacks.
fiber::stack_pool& stacks() {
  static auto* only = new fiber::stack_pool(stack_bytes, 256);
  return *only;
}

constexpr auto least_far_first = std::greater<>();

}  // namespace

world::world(const model_options& options)
    : options_(options),
      machine_(options.machine),
      costs_(options_.costs),
      time_max_(of_ns(options.seconds_max * 1e9)),
      memory_(machine_, costs_),
      chances_(options.seed),
      units_(machine_.units().size()),
      units_of_core_(machine_.cores().size()) {
  if (current_ != nullptr || sync::system::current() != nullptr)
    throw usage_error("tact::model::run: this thread is in a model or a simulation already");
  if (sync::thread_state::of_this_thread().worker != nullptr)
    throw usage_error("tact::model::run: not in a handler; call it in the program");
  for (unsigned i = 0; i < units_.size(); ++i) units_of_core_[machine_.units()[i].core].push_back(i);
  current_ = this;
}

world::~world() {
  for (const auto& t : threads_) {
    const fiber::stack s = t->fiber->own_stack();
    t->fiber.reset();
    stacks().give(s);
    // What a thread that did not end has on its stack may refer to its thread-local objects.
    if (t->now != phase::ended) static_cast<void>(t->lent.release());
  }
  current_ = nullptr;
}

// -- threads

thread_record& world::add(const std::string& name, std::function<void()> body) {
  auto t = std::make_unique<thread_record>();
  t->name = name;
  t->body = std::move(body);
  t->owner = this;
  t->index = static_cast<unsigned>(threads_.size());
  t->fiber.emplace(stacks().take(), &thread_main, t.get());
  if (t->index != 0) t->lent = std::make_unique<lent_thread>();
  t->objects = t->index == 0 ? lent_thread::of_this_thread() : t->lent->objects();
  return *threads_.emplace_back(std::move(t));
}

void world::run(const std::function<void()>& program) {
  thread_record& first = add("program", program);
  occupy(units_[0], first, 0);
  enter(this);
  thread_record& next = first;
  std::erase_if(ready_, [](const auto& r) { return r.second == 0; });
  begin_step(next);
  outside_.switch_to(*next.fiber, fiber::exception_place::of_no_thread());
  here = {};
  enter(nullptr);
  if (thrown_) std::rethrow_exception(thrown_);
}

void world::thread_main(void* record) {
  auto& self = *static_cast<thread_record*>(record);
  world& w = *self.owner;
  enter(&w);  // on the thread-local objects of this thread
  try {
    here.is_active = true;
    self.body();
    here.is_active = false;
  } catch (...) {
    here.is_active = false;
    if (self.index != 0) w.give_up("a thread threw an exception");
    w.thrown_ = std::current_exception();
  }
  self.clock = here.now;
  w.note_busy(self);
  self.now = phase::ended;
  if (self.index == 0) {
    if (!w.counted_) w.end_counting();
    self.fiber->leave(w.outside_, fiber::exception_place::of_no_thread());
  }
  w.leave_unit(self);
  w.wake(&self, 1);
  w.run_next();
  std::abort();  // a thread that has ended went on
}

unsigned world::start(const std::string& name, std::function<void()> body) {
  const outside_of_model mine;
  spend(of_ns(costs_.start));
  thread_record& t = add(name, std::move(body));
  t.unit = choose_first_unit();
  t.now = phase::asleep;
  t.clock = here.now;
  make_ready(t, here.now + of_ns(costs_.woken));
  return t.index;
}

void world::join(unsigned thread) noexcept {
  const outside_of_model mine;
  thread_record& t = *threads_[thread];
  while (t.now != phase::ended) static_cast<void>(sleep(&t, {}));
  t.lent.reset();  // its thread-local objects are destroyed here, as they are when a thread ends
}

void world::seat(const unsigned* processing_unit) noexcept {
  const outside_of_model mine;
  thread_record& self = running();
  self.is_pinned = processing_unit != nullptr;
  if (processing_unit == nullptr || self.unit == *processing_unit) return;
  self.clock = here.now;
  note_busy(self);
  leave_unit(self);
  self.unit = *processing_unit;
  make_ready(self, here.now + of_ns(costs_.sleep));
  run_next();
}

// -- turns

void world::spend(picoseconds time) noexcept { here.now += time; }

void world::pass() noexcept {
  if (here.makes_static != 0) return;
  const outside_of_model mine;
  thread_record& self = running();
  self.clock = here.now;
  if (self.clock > time_max_) give_up("the program takes longer than model_options::seconds_max");
  unit_state& u = units_[self.unit];
  if (!u.queue.empty() && self.clock - u.slice_began > of_ns(costs_.slice)) {
    share_unit();
  } else {
    ready_.emplace_back(self.clock, running_);
    std::push_heap(ready_.begin(), ready_.end(), least_far_first);
  }
  run_next();
}

// The running thread waits for its unit behind the others that do, or goes on at one that is free.
void world::share_unit() noexcept {
  thread_record& self = running();
  note_busy(self);
  leave_unit(self);
  if (!self.is_pinned) self.unit = choose_unit(self);
  make_ready(self, self.clock);
}

void world::run_next() noexcept {
  for (;;) {
    const picoseconds first = ready_.empty() ? never : ready_.front().first;
    const picoseconds deadline = deadlines_.empty() ? never : deadlines_.begin()->first;
    if (first == never && deadline == never) give_up("all of its threads wait");
    if (first <= deadline) break;
    rouse(*threads_[deadlines_.begin()->second], deadline, true);
  }
  std::pop_heap(ready_.begin(), ready_.end(), least_far_first);
  const unsigned next = ready_.back().second;
  ready_.pop_back();
  go_to(*threads_[next]);
}

void world::go_to(thread_record& next) noexcept {
  begin_step(next);
  const unsigned before = std::exchange(running_, next.index);
  if (before == next.index) return;
  thread_record& from = *threads_[before];
  lent_thread::use(next.objects);
  // When this returns, another thread has switched here, and has given this thread its objects back.
  from.fiber->switch_to(*next.fiber, fiber::exception_place::of_no_thread());
}

void world::begin_step(thread_record& t) noexcept {
  const unsigned core = machine_.units()[t.unit].core;
  double slower = 1;
  for (const unsigned other : units_of_core_[core])
    if (other != t.unit && units_[other].occupant != nobody) slower = costs_.both_busy;
  here.core = core;
  here.now = t.clock;
  here.block = of_ns(costs_.block * slower);
  here.access = of_ns(costs_.access * slower);
  here.update = of_ns(costs_.update * slower);
  here.memory = &memory_;
  const picoseconds first = ready_.empty() ? never : ready_.front().first;
  const picoseconds deadline = deadlines_.empty() ? never : deadlines_.begin()->first;
  const picoseconds other = std::min(first, deadline);
  here.horizon = (other == never ? t.clock + 1'000'000'000 : other) + lead;
}

// -- sleep

void world::fall_asleep(const void* at, picoseconds until) noexcept {
  thread_record& self = running();
  self.clock = here.now;
  note_busy(self);
  ++self.sleeps;
  self.now = phase::asleep;
  self.asleep_at = at;
  self.asleep_as = ++asleep_as_;
  self.until = until;
  self.timed_out = false;
  if (until != never) deadlines_.emplace(until, running_);
  leave_unit(self);
  run_next();
}

// The model itself is not compiled for a model, so its own accesses give no other thread a turn.
bool world::sleep_if(const futex_word& word, std::uint32_t expected, sync::deadline until) noexcept {
  return word.load() != expected || sleep(&word, until);
}

bool world::sleep(const void* at, sync::deadline until) noexcept {
  const outside_of_model mine;
  spend(of_ns(costs_.sleep));
  const picoseconds limit = until ? time_of(*until) : never;
  if (limit <= here.now) {
    pass();
    return false;
  }
  fall_asleep(at, limit);
  return !running().timed_out;
}

void world::wake(const void* at, int threads) noexcept {
  const outside_of_model mine;
  spend(of_ns(costs_.wake_none));
  for (; threads > 0; --threads) {
    thread_record* first = nullptr;
    for (const auto& t : threads_)
      if (t->now == phase::asleep && t->asleep_at == at && (first == nullptr || t->asleep_as < first->asleep_as))
        first = t.get();
    if (first == nullptr) return;
    spend(of_ns(costs_.wake));
    ++wakes_;
    rouse(*first, here.now, false);
  }
}

void world::rouse(thread_record& t, picoseconds at, bool timed_out) noexcept {
  if (t.until != never) deadlines_.erase({t.until, t.index});
  t.until = never;
  t.asleep_at = nullptr;
  t.timed_out = timed_out;
  const picoseconds from = std::max(at, t.clock);
  if (!t.is_pinned) t.unit = choose_unit(t);
  make_ready(t, from + time_to_wake(t, from));
}

// Up to a fourth more or less, by chance.
picoseconds world::time_to_wake(const thread_record& t, picoseconds at) noexcept {
  const unit_state& u = units_[t.unit];
  const bool idle_long = u.occupant == nobody && at > u.free_since + of_ns(costs_.idle_long);
  const picoseconds usual = of_ns(idle_long ? costs_.woken_idle : costs_.woken);
  return usual * 3 / 4 + (usual == 0 ? 0 : chances_.below(static_cast<std::uint32_t>(usual / 2 + 1)));
}

// -- processing units

void world::make_ready(thread_record& t, picoseconds at) noexcept {
  unit_state& u = units_[t.unit];
  t.clock = at;
  if (u.occupant == nobody) return occupy(u, t, at);
  t.now = phase::queued;
  u.queue.push_back(t.index);
}

void world::occupy(unit_state& u, thread_record& t, picoseconds at) noexcept {
  u.occupant = t.index;
  u.slice_began = at;
  t.now = phase::ready;
  t.clock = t.awake_since = at;
  ready_.emplace_back(at, t.index);
  std::push_heap(ready_.begin(), ready_.end(), least_far_first);
  here.horizon = std::min(here.horizon, at + lead);
}

void world::leave_unit(const thread_record& t) noexcept {
  unit_state& u = units_[t.unit];
  u.occupant = nobody;
  u.free_since = t.clock;
  const unsigned waiting = take_waiting(t.unit);
  if (waiting == nobody) return;
  thread_record& next = *threads_[waiting];
  next.unit = t.unit;
  occupy(u, next, std::max(next.clock, t.clock) + of_ns(costs_.sleep));
}

// The first one that waits for this unit; else one that waits for the nearest other unit, and is not pinned to it.
unsigned world::take_waiting(unsigned unit) noexcept {
  const unsigned core = machine_.units()[unit].core;
  std::deque<unsigned>* from = nullptr;
  std::deque<unsigned>::iterator found;
  auto nearest = source::memory;
  for (unsigned i = 0; i < units_.size(); ++i) {
    std::deque<unsigned>& queue = units_[i].queue;
    const auto may_go = [&](unsigned thread) { return i == unit || !threads_[thread]->is_pinned; };
    const auto first = std::find_if(queue.begin(), queue.end(), may_go);
    if (first == queue.end()) continue;
    const source distance = i == unit ? source::l2 : machine_.between(core, machine_.units()[i].core);
    if (from != nullptr && distance >= nearest) continue;
    from = &queue;
    found = first;
    nearest = distance;
  }
  if (from == nullptr) return nobody;
  const unsigned thread = *found;
  from->erase(found);
  return thread;
}

// A thread that wakes stays on its unit if that is free; otherwise it takes the nearest free one.
unsigned world::choose_unit(const thread_record& t) const noexcept {
  if (units_[t.unit].occupant == nobody) return t.unit;
  const unsigned core = machine_.units()[t.unit].core;
  unsigned best = t.unit;
  auto nearest = source::memory;
  for (unsigned i = 0; i < units_.size(); ++i) {
    if (units_[i].occupant != nobody) continue;
    const source from = machine_.between(core, machine_.units()[i].core);
    if (best == t.unit || from < nearest) {
      best = i;
      nearest = from;
    }
  }
  return best;
}

// A new thread goes where least is running: in the package, then behind the shared cache, then on the core.
unsigned world::choose_first_unit() const noexcept {
  std::vector<unsigned> on_package(machine_.cores().size()), on_cache(machine_.caches()),
      on_core(machine_.cores().size());
  for (unsigned i = 0; i < units_.size(); ++i) {
    const unsigned core = machine_.units()[i].core;
    const auto load = static_cast<unsigned>(units_[i].queue.size()) + (units_[i].occupant == nobody ? 0 : 1);
    on_core[core] += load;
    on_cache[machine_.cores()[core].cache] += load;
    on_package[machine_.cores()[core].package] += load;
  }
  const auto load_of = [&](unsigned i) {
    const unsigned core = machine_.units()[i].core;
    const bool is_taken = units_[i].occupant != nobody;
    return std::tuple(is_taken, on_package[machine_.cores()[core].package], on_cache[machine_.cores()[core].cache],
                      on_core[core], units_[i].queue.size());
  };
  unsigned best = 0;
  for (unsigned i = 1; i < units_.size(); ++i)
    if (load_of(i) < load_of(best)) best = i;
  return best;
}

}  // namespace tact::modelled
