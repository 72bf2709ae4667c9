// The actor that keeps the books of one survey: what was found and measured, how far the work is, and in which order it
// is shown. The window sees it some 25 times a second, however fast the results come.
#pragma once

#include <string>

#include <tact/tact.hpp>

#include "report_writer.hpp"
#include "table_rows.hpp"
#include "work.hpp"

namespace loudness {

enum class survey_phase : unsigned char { running, paused, cancelled };

// What is known of a survey at some moment.
struct survey_view {
  int number = 0;  // of the survey; a later one has a higher number
  std::string folder{};
  unsigned analysts = 1;
  table_rows rows{};
  tally sum{};
  survey_phase phase = survey_phase::running;

  [[nodiscard]] bool is_over() const noexcept { return phase == survey_phase::cancelled || sum.is_complete(); }
};

// "12 of 40 files, about 35 s left"
std::string progress_text(const survey_view& view);

struct export_to {
  std::string file;
};
// Shows the files whose path has the text, or all.
struct search {
  std::string text;
};
// Shows what is known now.
struct refresh {};

struct ledger : tact::protocol<work_report, shared_result, row_order, survey_phase, export_to, search, refresh> {};

struct ledger_state {
  survey_view now{};
  tact::ref<survey_view> shown{};
  tact::ref<write_report> writer{};
  bool refresh_is_set = false;
};

tact::behavior<ledger> make_ledger(ledger_state state);

}  // namespace loudness
