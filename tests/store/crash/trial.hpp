// A program that runs on a simulated disk, and what may be found after a power cut at each moment of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "store/crash/platters.hpp"
#include "store/crash/program.hpp"
#include "store/crash/simulated_disk.hpp"
#include "store/crash/subject.hpp"

namespace tact::store_tests {

inline constexpr const char* data_file = "data";

// Something that must not be. Its text says what.
struct broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class trial {
 public:
  enum mark : unsigned { opened, begun, durable, refused, unknown };

  // What is in the folder is what the disk has at first; a store there has one of these states.
  trial(std::filesystem::path folder, std::vector<contents> may_be_there, mistake wrong = mistake::none);

  // Opens the store, which must be in a state that it may be in. False: an error, which `tolerates_error` allows.
  bool open(const store_options& options, bool tolerates_error = false);
  // Writes the groups. Each must be answered as it may be: durable, unless a call has failed.
  void write(const std::vector<std::vector<detail::byte_change>>& groups);
  void close();

  simulated_disk& disk() noexcept { return disk_; }
  [[nodiscard]] const simulated_disk& disk() const noexcept { return disk_; }
  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }
  // Numbered as the marks in the log of the disk number them.
  [[nodiscard]] const std::vector<contents>& states() const noexcept { return states_; }
  [[nodiscard]] const contents& last() const noexcept { return states_[now_]; }
  // How many states may be there at first.
  [[nodiscard]] std::size_t at_first() const noexcept { return at_first_; }
  // How the groups were answered.
  [[nodiscard]] std::size_t durable_count() const noexcept { return durables_; }
  [[nodiscard]] std::size_t refused_count() const noexcept { return refusals_; }
  [[nodiscard]] bool has_stopped() const noexcept { return has_stopped_; }

 private:
  std::size_t add(contents state);
  void write_one(const std::vector<detail::byte_change>& group);
  void expect_as_before(std::uint64_t version);
  void expect_stopped(const std::vector<detail::byte_change>& group);

  const std::filesystem::path folder_;
  const mistake wrong_;
  simulated_disk disk_;
  std::unique_ptr<subject> store_{};
  std::vector<contents> states_;
  const std::size_t at_first_;
  std::vector<std::size_t> allowed_{};  // states in which the store may be when it is opened
  std::size_t now_ = 0;
  std::size_t durables_ = 0;
  std::size_t refusals_ = 0;
  bool has_stopped_ = false;
};

// Follows the marks in a log: in which states a store may be.
class allowance {
 public:
  explicit allowance(std::size_t at_first);
  void take(const disk_event& mark);
  [[nodiscard]] std::vector<std::size_t> states() const;

 private:
  std::vector<std::size_t> sure_{};
  std::size_t under_way_ = 0;
  bool is_under_way_ = false;
};

struct audit_limits {
  std::uint64_t cuts_most = ~std::uint64_t{0};  // moments at which power is cut; all, or some by chance
  unsigned images_each = 3;
};

// Cuts the power at moments of a trial whose store is closed, and opens what is found then. Throws broken. Returns how
// many were opened. The trial began with what is on the platters.
std::uint64_t audit(const trial& t, const platters& began_with, const std::filesystem::path& folder,
                    const store_options& options, std::uint64_t seed, const audit_limits& limits = {});

// What is in the store of this image; it is opened in this folder. Throws broken if it cannot be.
contents recovered(const image& found, const std::filesystem::path& folder, const store_options& options,
                   base::random& luck);

}  // namespace tact::store_tests
