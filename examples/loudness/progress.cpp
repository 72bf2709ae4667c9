#include "progress.hpp"

#include <cstdio>

namespace loudness {
namespace {

constexpr std::chrono::milliseconds between_lines{100};  // thousands of short clips would flood the terminal
constexpr const char* wipe = "\r\x1b[K";

}  // namespace

void progress::receive(tact::self<progress>&, const found& m) {
  sum_.add(m);
  show();
}

void progress::receive(tact::self<progress>&, const work_done& m) {
  sum_.add(m);
  show();
}

tact::allocation progress::receive(tact::self<progress>&, const end_of_work&) {
  if (shown_) std::fputs(wipe, stderr);
  return tact::allocation::delete_;
}

void progress::show() {
  const clock::time_point now = clock::now();
  if (!shown_ || now - last_shown_ < between_lines) return;
  last_shown_ = now;
  std::fprintf(stderr, "%s%zu of %zu files, %.0f %%", wipe, sum_.files_done, sum_.files, 100.0 * sum_.share());
  if (sum_.files_known > 0) std::fprintf(stderr, ", %zu known", sum_.files_known);
  if (sum_.files_cut_short > 0) std::fprintf(stderr, ", %zu cut short", sum_.files_cut_short);
  if (sum_.files_failed > 0) std::fprintf(stderr, ", %zu not measured", sum_.files_failed);
  std::fflush(stderr);
}

}  // namespace loudness
