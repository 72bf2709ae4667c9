// What stands in for the operating system of a program in a model. docs/protocols/model.md.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <string_view>

#include "fiber/fiber.hpp"
#include "sync/system.hpp"
#include "tact/model.hpp"
#include "tools/modelled/machine.hpp"
#include "tools/modelled/measurement.hpp"
#include "tools/modelled/memory.hpp"
#include "tools/modelled/mutex_table.hpp"
#include "tools/modelled/running.hpp"
#include "tools/modelled/scheduler.hpp"
#include "tools/modelled/thread_record.hpp"

namespace tact::modelled {

// Has the threads of the program, and leads each request to the part that serves it. Thread safety: the real thread.
// Invariant: a thread of the model finds its world as the system of the thread whose objects it has.
class world final : public sync::system {
 public:
  explicit world(const model_options& options);
  ~world();
  [[nodiscard]] static world* current() noexcept { return current_; }

  // Runs the program to its end; throws what it throws.
  void run(const std::function<void()>& program);
  void spend_on_allocation() noexcept { spend(of_ns(options_.costs.allocate)); }

  // -- the parts
  [[nodiscard]] modelled::scheduler& scheduler() noexcept { return scheduler_; }
  [[nodiscard]] mutex_table& mutexes() noexcept { return mutexes_; }
  [[nodiscard]] modelled::measurement& measurement() noexcept { return measurement_; }

  // -- sync::system
  [[nodiscard]] sync::time_point now() noexcept override;
  [[nodiscard]] sync::time_point stopwatch() noexcept override { return now(); }
  [[nodiscard]] sync::processor_use use(sync::time_point now) noexcept override;
  void give_way() noexcept override;
  [[nodiscard]] bool sleep(const void* at, sync::deadline until) noexcept override;
  [[nodiscard]] bool sleep_if(const futex_word& word, std::uint32_t expected, sync::deadline until) noexcept override;
  void wake(const void* at, int threads) noexcept override { scheduler_.wake(at, threads); }
  void barrier_for_all() noexcept override;
  unsigned start(const std::string& name, std::function<void()> body) override;
  void join(unsigned thread) noexcept override;
  [[nodiscard]] unsigned this_thread() const noexcept override { return scheduler_.running_thread(); }
  [[nodiscard]] std::string_view machine() const noexcept override { return options_.machine; }
  void seat(const unsigned* processing_unit) noexcept override { scheduler_.seat(processing_unit); }
  [[nodiscard]] unsigned memories() const noexcept override { return machine_.nodes(); }
  void interleave(const void* first, std::size_t bytes) noexcept override;
  void hear(const statistics& of_engine) noexcept override { measurement_.hear(of_engine); }

 private:
  static constexpr sync::time_point beginning{std::chrono::hours(1)};

  static void thread_main(void* record);
  [[nodiscard]] thread_record& add(const std::string& name, std::function<void()> body);
  [[nodiscard]] static picoseconds time_of(sync::time_point t) noexcept;

  const model_options options_;
  const modelled::machine machine_;
  memory memory_;
  modelled::scheduler scheduler_;
  mutex_table mutexes_;
  modelled::measurement measurement_;
  fiber::fiber outside_;  // the stack on which run was called
  std::exception_ptr thrown_;

  static inline constinit world* current_ = nullptr;
};

}  // namespace tact::modelled
