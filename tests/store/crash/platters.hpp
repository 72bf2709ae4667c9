// What is on a disk: what was flushed, and of what was written since then any part, by sectors of 512 bytes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "store/crash/simulated_disk.hpp"

namespace tact::store_tests {

inline constexpr std::uint64_t sector_bytes = 512;

// Follows a log. A sector is written whole or not at all: LMDB needs that for the sector of its meta page, and says so.
class platters {
 public:
  explicit platters(const image& at_first);

  void take(const disk_event& e);
  // What is found after a power cut at this moment.
  [[nodiscard]] image power_cut(base::random& luck) const;
  // What programs read as long as there is power.
  [[nodiscard]] image cached() const;
  // The same disk, with its files in the order of their names, when the process has ended and nothing was flushed. Only
  // if all names last.
  [[nodiscard]] platters numbered_anew() const;
  [[nodiscard]] bool has_lasting_names() const { return pending_names_.empty(); }
  // Whether a power cut now finds the same, whatever the luck.
  [[nodiscard]] bool is_settled() const;

 private:
  // A write that is not flushed: from a sector's beginning, with what else is in its sectors.
  struct pending_write {
    std::uint64_t at = 0;
    std::string bytes{};
  };
  struct file {
    std::string durable{};
    std::string cached{};
    std::vector<pending_write> pending{};
  };

  void take_write(file& f, const disk_event& e);
  static void take_flush(file& f, const disk_event& e);
  static void take_failed_flush(file& f, const disk_event& e);
  [[nodiscard]] static std::string cut(const file& f, base::random& luck);

  std::vector<file> files_{};
  std::map<std::string, unsigned> names_{};
  std::map<std::string, unsigned> durable_names_{};
  std::vector<disk_event> pending_names_{};
};

}  // namespace tact::store_tests
