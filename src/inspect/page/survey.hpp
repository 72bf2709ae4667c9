// What a live page tells of an engine.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/json_builder.hpp"
#include "inspect/page/pace.hpp"
#include "inspect/page/request.hpp"
#include "tact/inspect/live_page.hpp"
#include "tact/inspect/metrics.hpp"

namespace tact::inspect {

// All that it says is JSON of the format in docs/inspect/live_page.md. Thread safety: one thread.
class survey {
 public:
  // `steps` may be null.
  survey(engine& of, recorder* steps, bool allow_control) noexcept
      : engine_(of), recorder_(steps), allow_control_(allow_control) {}

  // What a browser is told first.
  [[nodiscard]] std::string hello() const;
  // How the engine is now. What looks at every cell is of some time before.
  [[nodiscard]] std::string snapshot();
  // What the browser is told that has asked this.
  [[nodiscard]] std::string answer(const request_text& asked);
  // The trace of which was told last, or a new one; null without a recorder.
  [[nodiscard]] std::shared_ptr<const trace> latest_trace();
  // No browser looks any more.
  void forget() noexcept;

 private:
  [[nodiscard]] std::string trace_told();
  [[nodiscard]] std::string structure_told();
  [[nodiscard]] std::string switched(std::string_view wish);
  [[nodiscard]] std::string why(std::string_view message);
  void look_at_cells();
  void measure();
  void write_types(json_builder& to) const;

  engine& engine_;
  recorder* const recorder_;
  const bool allow_control_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::uint64_t snapshots_ = 0;
  // What looks at every cell has a slower pace, and so has the copy of a trace.
  pace of_cells_{std::chrono::seconds(1), 50};
  pace of_traces_{std::chrono::milliseconds(500), 10};
  // Measuring costs the engine some time, so it lasts as long as browsers look.
  pace of_metrics_{std::chrono::milliseconds(200), 50};
  std::unique_ptr<metrics> metrics_;
  metrics_snapshot measured_;
  std::vector<type_statistics> types_;
  std::vector<mailbox_depth> mailboxes_;
  std::shared_ptr<const trace> trace_;
  std::string trace_told_;
  // A browser asks once a second, and several share an answer.
  pace of_structure_{std::chrono::milliseconds(500), 50};
  std::string structure_told_;
};

}  // namespace tact::inspect
