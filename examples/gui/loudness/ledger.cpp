#include "ledger.hpp"

#include <chrono>
#include <cmath>
#include <utility>

namespace loudness {
namespace {

// More pictures in a second are not seen; drawing them would keep the window from its events.
constexpr std::chrono::milliseconds between_pictures{40};

// What has changed is shown soon.
void change(tact::self<ledger>& self, ledger_state next) {
  if (!std::exchange(next.refresh_is_set, true)) self.send_after(between_pictures, self.ref(), refresh{});
  self.become(make_ledger(std::move(next)));
}

// What the person has asked for is shown now.
void show(tact::self<ledger>& self, ledger_state next) {
  self.send(next.shown, next.now);
  self.become(make_ledger(std::move(next)));
}

std::string rough_text(double seconds) {
  if (seconds < 90.0) return std::to_string(std::lround(seconds)) + " s";
  if (seconds < 90.0 * 60.0) return std::to_string(std::lround(seconds / 60.0)) + " min";
  return std::to_string(std::lround(seconds / 3600.0)) + " h";
}

// The analysts share the bytes that are left, and go on at the pace that they had.
std::string time_left_text(const survey_view& view) {
  if (view.sum.bytes_done == 0 || view.sum.bytes_done > view.sum.bytes) return {};
  const std::chrono::duration<double> took = view.sum.took;
  const auto left = static_cast<double>(view.sum.bytes - view.sum.bytes_done);
  return ", about " + rough_text(took.count() / static_cast<double>(view.sum.bytes_done) * left / view.analysts) +
         " left";
}

}  // namespace

std::string progress_text(const survey_view& view) {
  const tally& sum = view.sum;
  std::string text = std::to_string(sum.files_done) + " of " + std::to_string(sum.files) + " files";
  if (sum.files_known > 0) text += ", " + std::to_string(sum.files_known) + " known";
  if (sum.files_cut_short > 0) text += ", " + std::to_string(sum.files_cut_short) + " cut short";
  if (sum.files_failed > 0) text += ", " + std::to_string(sum.files_failed) + " not measured";
  if (view.phase == survey_phase::cancelled) return "cancelled: " + text;
  if (sum.is_complete()) return sum.files == 0 ? "no sound files found" : "done: " + text;
  if (view.phase == survey_phase::paused) return "paused: " + text;
  return sum.folders_left > 0 ? "searching: " + text : text + time_left_text(view);
}

tact::behavior<ledger> make_ledger(ledger_state state) {
  return {
      [state](tact::self<ledger>& self, const found& m) {
        ledger_state next = state;
        for (const candidate& file : m.files) next.now.rows = next.now.rows.with_file(file.path);
        next.now.sum.add(m);
        change(self, std::move(next));
      },
      [state](tact::self<ledger>& self, const work_done& m) {
        ledger_state next = state;
        next.now.sum.add(m);
        change(self, std::move(next));
      },
      [state](tact::self<ledger>& self, const shared_result& m) {
        ledger_state next = state;
        next.now.rows = next.now.rows.with_result(m);
        change(self, std::move(next));
      },
      [state](tact::self<ledger>& self, const row_order& m) {
        ledger_state next = state;
        next.now.rows = next.now.rows.sorted_by(m);
        show(self, std::move(next));
      },
      [state](tact::self<ledger>& self, const search& m) {
        ledger_state next = state;
        next.now.rows = next.now.rows.with_text(m.text);
        show(self, std::move(next));
      },
      [state](tact::self<ledger>& self, const survey_phase& m) {
        ledger_state next = state;
        next.now.phase = m;
        show(self, std::move(next));
      },
      [state](tact::self<ledger>& self, const export_to& m) {
        self.send(state.writer, write_report{m.file, state.now.rows});
      },
      [state](tact::self<ledger>& self, const refresh&) {
        ledger_state next = state;
        next.refresh_is_set = false;
        show(self, std::move(next));
      },
  };
}

}  // namespace loudness
