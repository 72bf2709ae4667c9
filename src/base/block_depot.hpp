// Spare blocks that all threads share, in batches.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>

#include "base/block_place.hpp"
#include "tact/detail/block_class.hpp"

namespace tact::base {

inline constexpr std::size_t batch_blocks = 64;

// The batches of one size. A batch is a list of addresses that lies apart from its blocks: a thread that took blocks
// which are linked through themselves, and which another thread has freed, would wait for each line to find the next.
// A thread comes here once for each batch_blocks blocks. Thread safety: any thread.
class block_depot {
 public:
  explicit constexpr block_depot(std::size_t kept_batches) noexcept : kept_(kept_batches) {}
  block_depot(const block_depot&) = delete;
  block_depot& operator=(const block_depot&) = delete;

  // Takes over batch_blocks blocks, which lie near these actors. False: there is no room for them.
  [[nodiscard]] bool give(block_place where, void* const* blocks) noexcept;
  // Writes batch_blocks blocks to `into`, those of this place if there are some. False: there is no batch.
  [[nodiscard]] bool take(block_place where, void** into) noexcept;
  // Frees the memory of batches that are empty.
  void trim() noexcept;

  // Between hold and release no thread is in the middle of a change, and other threads wait.
  void hold() noexcept { mutex_.lock(); }
  void release() noexcept { mutex_.unlock(); }

 private:
  struct batch {
    batch* next;
    std::array<void*, batch_blocks> blocks;
  };

  std::mutex mutex_;
  std::array<batch*, block_places> full_{};
  batch* empty_ = nullptr;
  std::size_t count_ = 0;  // of full ones
  const std::size_t kept_;
};

// Never destroyed: a thread may end, and give blocks back, after main has returned.
[[nodiscard]] block_depot& depot_of(detail::block_class c) noexcept;

}  // namespace tact::base
