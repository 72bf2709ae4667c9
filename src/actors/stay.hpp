// The engines that the calling thread is inside of: the end of such an engine would wait for the thread itself.
#pragma once

namespace tact::detail {
class core;
}

namespace tact::actors {

// A thread stays in an engine while it runs messages of the engine, serves its timers, or calls users' functions for
// it: a worker, or the thread of a blocking actor, as long as it runs; another thread for the length of a call. Thread
// safety: the thread's own.
class stay {
 public:
  // The thread runs messages of the engine, or ends the engine.
  enum class why : unsigned char { runs, ends };

  explicit stay(detail::core& engine, why w = why::runs) noexcept : engine_(&engine), why_(w) {}
  stay(const stay&) = delete;
  stay& operator=(const stay&) = delete;

  // From now on the calling thread is inside. Stays end in the reverse order of their beginnings.
  void begin() noexcept;
  void end() noexcept;

  [[nodiscard]] static bool is_inside(const detail::core& engine) noexcept;
  // The calling thread ends that engine, and is in a call of a user's function.
  [[nodiscard]] static bool is_ending(const detail::core& engine) noexcept;
  [[nodiscard]] static bool is_inside_any() noexcept;
  // std::exit was called inside of an engine: the calling thread ends the process.
  [[nodiscard]] static bool ends_process() noexcept;
  // Calls f(core&) for each engine that the thread is inside of, innermost first.
  template <class F>
  static void for_each(F f) {
    for (const stay* s = innermost(); s != nullptr; s = s->outer_) f(*s->engine_);
  }

 private:
  [[nodiscard]] static const stay* innermost() noexcept;

  detail::core* const engine_;
  const why why_;
  const stay* outer_ = nullptr;
};

// A stay that begins and ends with a block.
class staying {
 public:
  explicit staying(detail::core& engine, stay::why w = stay::why::runs) noexcept : stay_(engine, w) { stay_.begin(); }
  staying(const staying&) = delete;
  staying& operator=(const staying&) = delete;
  ~staying() { stay_.end(); }

 private:
  stay stay_;
};

}  // namespace tact::actors
