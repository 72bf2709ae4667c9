// Whether a file that is open still does what it is asked for.
#pragma once

#include <filesystem>
#include <mutex>
#include <string>

#include "store/disk/environment.hpp"
#include "sync/policy.hpp"

namespace tact::lmdb {

// Thread safety: any thread.
class file_health {
 public:
  explicit file_health(std::filesystem::path file) : file_(std::move(file)) {}

  // From now on the file does nothing any more. The first reason stays.
  void stop(const std::string& why) noexcept;
  // In a child of fork.
  void say_forked() noexcept { state_.store(state::forked); }
  // Throws store_error: stopped.
  void check() const {
    if (state_.load() != state::well) throw_stopped();
  }
  [[nodiscard]] bool is_well() const noexcept { return state_.load() == state::well; }
  [[nodiscard]] bool is_forked() const noexcept { return state_.load() == state::forked; }
  // Why it has stopped, and what can be done.
  [[nodiscard]] std::string text() const;

 private:
  enum class state : unsigned char { well, stopped, forked };
  [[noreturn]] void throw_stopped() const;

  const std::filesystem::path file_;
  mutable std::mutex mutex_;
  std::string why_;
  sync::atomic<state> state_{state::well};
};

}  // namespace tact::lmdb
