// Which engines the calling thread is inside of: whose end would wait for the thread itself.
#pragma once

namespace tact::detail {
class core;
}

namespace tact::actors {

// A thread stays in an engine while it runs its messages, serves its timers, or calls its users for it: workers and
// threads of blocking actors as long as they run, others for the length of a call. Thread safety: the thread's own.
class stay {
 public:
  enum class why : unsigned char { runs, ends };  // the messages of the engine, or the engine

  explicit stay(detail::core& engine, why w = why::runs) noexcept : engine_(&engine), why_(w) {}
  stay(const stay&) = delete;
  stay& operator=(const stay&) = delete;

  // The calling thread is inside from now on. What a thread began last ends first.
  void begin() noexcept;
  void end() noexcept;

  [[nodiscard]] static bool is_inside(const detail::core& engine) noexcept;
  // It ends that engine, and is in a call of a user's.
  [[nodiscard]] static bool is_ending(const detail::core& engine) noexcept;
  [[nodiscard]] static bool is_inside_any() noexcept;
  // std::exit was called inside of an engine: the calling thread ends the process.
  [[nodiscard]] static bool ends_process() noexcept;
  // Calls f(core&) for each, innermost first.
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

// A stay of a block.
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
