// The actor that measures, one file at a time and piece by piece, so that it can be held up and ended within a file: a
// classic one, for it owns an open file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <tact/tact.hpp>

#include "agenda.hpp"
#include "catalog.hpp"
#include "examination.hpp"
#include "work.hpp"

namespace loudness {

struct next_piece {};

// Of each file it tells the result, when the archive has it, and asks the agenda for the next one.
class analyst : public tact::actor<analyst, candidate, next_piece, pause, go_on> {
 public:
  analyst(tact::ref<next_file> agenda, tact::ref<shared_result> results, tact::ref<work_done> report,
          std::shared_ptr<const archive> kept)
      : agenda_(agenda), results_(results), report_(report), kept_(std::move(kept)) {}

  void receive(tact::self<analyst>& self, const candidate& m);
  void receive(tact::self<analyst>& self, const next_piece& m);
  void receive(tact::self<analyst>& self, const pause& m);
  void receive(tact::self<analyst>& self, const go_on& m);

 private:
  // One message for each piece, so that others get in between.
  void continue_with(tact::self<analyst>& self);
  void tell(tact::self<analyst>& self, examined done, work_done told) const;

  const tact::ref<next_file> agenda_;
  const tact::ref<shared_result> results_;
  const tact::ref<work_done> report_;
  const std::shared_ptr<const archive> kept_;  // null: there is none

  std::optional<examination> work_;
  std::uint64_t bytes_ = 0;
  std::uint64_t bytes_told_ = 0;
  bool is_paused_ = false;
  bool is_held_up_ = false;  // and the next piece waits for the end of the pause
};

}  // namespace loudness
