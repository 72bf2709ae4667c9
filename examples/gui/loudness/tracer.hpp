// The actor that traces the loudness of the selected file over its time, piece by piece: a classic one, for it owns an
// open file. Another selection makes it drop what it traces.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <tact/tact.hpp>

#include "archive.hpp"
#include "curve.hpp"

namespace loudness {

// Empty: no file.
struct trace {
  std::string path;
};

// A curve begins: what is shown of another one goes.
struct curve_begun {
  std::string path;
};
struct curve_view : tact::protocol<curve_begun, curve_piece> {};

struct next_of_curve {};

class tracer : public tact::actor<tracer, trace, next_of_curve> {
 public:
  // With an archive the curve of a file that is known is shown at once, also if the file is gone.
  explicit tracer(tact::ref<curve_view> shown, std::shared_ptr<const archive> kept = nullptr)
      : shown_(shown), kept_(std::move(kept)) {}

  void receive(tact::self<tracer>& self, const trace& m);
  void receive(tact::self<tracer>& self, const next_of_curve& m);

 private:
  void continue_with(tact::self<tracer>& self);
  [[nodiscard]] std::optional<curve_piece> kept_curve(const std::string& path) const;

  const tact::ref<curve_view> shown_;
  const std::shared_ptr<const archive> kept_;
  std::optional<curve_tracing> work_;
  bool goes_on_ = false;  // a message for the next piece is on its way
};

}  // namespace loudness
