// The actor that shows how far the work is: a classic one, for it owns the line of the terminal.
#pragma once

#include <chrono>
#include <cstdint>

#include <tact/tact.hpp>

namespace loudness {

struct work_found {
  std::uint64_t files;
  std::uint64_t bytes;
};

struct work_done {
  std::uint64_t bytes;
  bool failed;
};

struct end_of_work {};

class progress : public tact::actor<progress, work_found, work_done, end_of_work> {
 public:
  explicit progress(bool shown) : shown_(shown) {}

  void receive(tact::self<progress>& self, const work_found& m);
  void receive(tact::self<progress>& self, const work_done& m);
  tact::allocation receive(tact::self<progress>& self, const end_of_work& m);  // wipes the line

 private:
  using clock = std::chrono::steady_clock;

  void show();

  bool shown_;
  std::uint64_t files_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t files_done_ = 0;
  std::uint64_t bytes_done_ = 0;
  std::uint64_t files_failed_ = 0;
  clock::time_point last_shown_{};
};

}  // namespace loudness
