// The engines that the calling thread is inside of: the end of such an engine would wait for the thread itself.
#pragma once

namespace tact::actors {

class engine_identity;

// A thread visits an engine while it runs messages of the engine, serves its timers, or calls users' functions for
// it: a worker, or the thread of a blocking actor, as long as it runs; another thread for the length of a call. Thread
// safety: the thread's own.
class visit {
 public:
  // The thread runs messages of the engine, or ends the engine.
  enum class why : unsigned char { runs, ends };

  explicit visit(const engine_identity& engine, why w = why::runs) noexcept : engine_(&engine), why_(w) {}
  visit(const visit&) = delete;
  visit& operator=(const visit&) = delete;

  // From now on the calling thread is inside. Visits end in the reverse order of their beginnings.
  void begin() noexcept;
  void end() noexcept;

  [[nodiscard]] static bool is_inside(const engine_identity& engine) noexcept;
  // The calling thread ends that engine, and is in a call of a user's function.
  [[nodiscard]] static bool is_ending(const engine_identity& engine) noexcept;
  [[nodiscard]] static bool is_inside_any() noexcept;
  // std::exit was called inside of an engine: the calling thread ends the process.
  [[nodiscard]] static bool ends_process() noexcept;
  // Calls f(const engine_identity&) for each engine that the thread is inside of, innermost first.
  template <class F>
  static void for_each(F f) {
    for (const visit* s = innermost(); s != nullptr; s = s->outer_) f(*s->engine_);
  }

 private:
  [[nodiscard]] static const visit* innermost() noexcept;

  const engine_identity* const engine_;
  const why why_;
  const visit* outer_ = nullptr;
};

// A visit that begins and ends with a block.
class visiting {
 public:
  explicit visiting(const engine_identity& engine, visit::why w = visit::why::runs) noexcept : visit_(engine, w) {
    visit_.begin();
  }
  visiting(const visiting&) = delete;
  visiting& operator=(const visiting&) = delete;
  ~visiting() { visit_.end(); }

 private:
  visit visit_;
};

}  // namespace tact::actors
