// The actor that shows how far the work is: a classic one, for it owns the line of the terminal.
#pragma once

#include <chrono>

#include <tact/tact.hpp>

#include "work.hpp"

namespace loudness {

struct end_of_work {};

class progress : public tact::actor<progress, work_report, end_of_work> {
 public:
  explicit progress(bool shown) : shown_(shown) {}

  void receive(tact::self<progress>& self, const found& m);
  void receive(tact::self<progress>& self, const work_done& m);
  tact::allocation receive(tact::self<progress>& self, const end_of_work& m);  // wipes the line

 private:
  using clock = std::chrono::steady_clock;

  void show();

  bool shown_;
  tally sum_{};
  clock::time_point last_shown_{};
};

}  // namespace loudness
