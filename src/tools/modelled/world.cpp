#include "tools/modelled/world.hpp"

#include <chrono>
#include <memory>
#include <utility>

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

}  // namespace

world::world(const model_options& options)
    : options_(options),
      machine_(options.machine),
      memory_(machine_, options_.costs),
      scheduler_(machine_, memory_, options_),
      mutexes_(scheduler_),
      measurement_(scheduler_, memory_) {
  if (current_ != nullptr || sync::system::current() != nullptr)
    throw usage_error("tact::model::run: this thread is in a model or a simulation already");
  if (sync::thread_state::of_this_thread().worker != nullptr)
    throw usage_error("tact::model::run: not in a handler; call it in the program");
  current_ = this;
}

world::~world() {
  for (const auto& t : scheduler_.threads()) {
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
  t->index = static_cast<unsigned>(scheduler_.threads().size());
  t->fiber.emplace(stacks().take(), &thread_main, t.get());
  if (t->index != 0) t->lent = std::make_unique<lent_thread>();
  t->objects = t->index == 0 ? lent_thread::of_this_thread() : t->lent->objects();
  return scheduler_.add(std::move(t));
}

void world::run(const std::function<void()>& program) {
  thread_record& first = add("program", program);
  enter(this);
  scheduler_.begin(first);
  outside_.switch_to(*first.fiber, fiber::exception_place::of_no_thread());
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
    if (self.index != 0) w.scheduler_.give_up("a thread threw an exception");
    w.thrown_ = std::current_exception();
  }
  w.scheduler_.note_end();
  if (self.index != 0) w.scheduler_.leave();
  w.measurement_.end();
  self.fiber->leave(w.outside_, fiber::exception_place::of_no_thread());
}

unsigned world::start(const std::string& name, std::function<void()> body) {
  const outside_of_model mine;
  spend(of_ns(options_.costs.start));
  thread_record& t = add(name, std::move(body));
  scheduler_.place(t);
  return t.index;
}

void world::join(unsigned thread) noexcept {
  const outside_of_model mine;
  thread_record& t = *scheduler_.threads()[thread];
  while (t.now != phase::ended) scheduler_.sleep(&t, never);
  t.lent.reset();  // its thread-local objects are destroyed here, as they are when a thread ends
}

// -- time

picoseconds world::time_of(sync::time_point t) noexcept {
  // A day before the last moment of the clock: a thread that sleeps until then sleeps without a deadline.
  if (t >= sync::time_point::max() - std::chrono::hours(24)) return never;
  const auto since = std::chrono::nanoseconds(t - beginning).count();
  constexpr std::int64_t most = std::int64_t{1} << 53;
  return since <= 0 ? 0 : since >= most ? never : static_cast<picoseconds>(since) * 1000;
}

sync::time_point world::now() noexcept {
  const outside_of_model mine;
  spend(of_ns(options_.costs.clock));
  return beginning + std::chrono::nanoseconds(here.now / 1000);
}

sync::processor_use world::use(sync::time_point now) noexcept {
  const thread_record& self = *scheduler_.threads()[this_thread()];
  const picoseconds busy = self.busy + here.now - self.awake_since;
  return {now, std::chrono::nanoseconds(busy / 1000), static_cast<long>(self.sleeps)};
}

void world::give_way() noexcept {
  const outside_of_model mine;
  spend(of_ns(options_.costs.pause));
  scheduler_.pass_if_far();
}

// The model itself is not compiled for a model, so its own accesses give no other thread a turn.
bool world::sleep_if(const futex_word& word, std::uint32_t expected, sync::deadline until) noexcept {
  return word.load() != expected || sleep(&word, until);
}

bool world::sleep(const void* at, sync::deadline until) noexcept {
  return scheduler_.sleep(at, until ? time_of(*until) : never);
}

// -- memory

void world::barrier_for_all() noexcept {
  const outside_of_model mine;
  spend(of_ns(options_.costs.barrier));
}

void world::interleave(const void* first, std::size_t bytes) noexcept {
  const outside_of_model mine;
  memory_.interleave(reinterpret_cast<std::uintptr_t>(first), bytes);
}

}  // namespace tact::modelled
