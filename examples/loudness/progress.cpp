#include "progress.hpp"

#include <algorithm>
#include <cstdio>

namespace loudness {
namespace {

constexpr std::chrono::milliseconds pause{100};  // between two lines: thousands of short clips would flood the terminal
constexpr const char* wipe = "\r\x1b[K";

}  // namespace

void progress::receive(tact::self<progress>&, const work_found& m) {
  files_ += m.files;
  bytes_ += m.bytes;
  show();
}

void progress::receive(tact::self<progress>&, const work_done& m) {
  ++files_done_;
  bytes_done_ += m.bytes;
  files_failed_ += m.failed ? 1 : 0;
  show();
}

tact::allocation progress::receive(tact::self<progress>&, const end_of_work&) {
  if (shown_) std::fputs(wipe, stderr);
  return tact::allocation::delete_;
}

void progress::show() {
  const clock::time_point now = clock::now();
  if (!shown_ || now - last_shown_ < pause) return;
  last_shown_ = now;
  const double percent =
      100.0 * static_cast<double>(bytes_done_) / static_cast<double>(std::max<std::uint64_t>(bytes_, 1));
  std::fprintf(stderr, "%s%llu of %llu files, %.0f %%", wipe, static_cast<unsigned long long>(files_done_),
               static_cast<unsigned long long>(files_), percent);
  if (files_failed_ > 0) std::fprintf(stderr, ", %llu not measured", static_cast<unsigned long long>(files_failed_));
  std::fflush(stderr);
}

}  // namespace loudness
