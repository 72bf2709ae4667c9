// The loudness of a file over its time, and measuring piece by piece.
#include "curve.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <vector>

#include "folder.hpp"
#include "measure.hpp"
#include "signals.hpp"
#include "support/catch.hpp"
#include "text.hpp"

namespace curve_test {

namespace {

using loudness::curve_piece;
using loudness::tests::contains;

struct traced {
  std::vector<float> values;
  int pieces;
  curve_piece last;
};

traced trace(const std::filesystem::path& file) {
  loudness::curve_tracing work(file);
  traced all{};
  do {
    all.last = work.advance();
    all.values.insert(all.values.end(), all.last.values.begin(), all.last.values.end());
    ++all.pieces;
  } while (!all.last.is_last);
  return all;
}

// Of a 1 kHz tone in stereo.
traced trace_tone(std::vector<loudness::segment> segments, int rate_hz = 48000) {
  const loudness::tests::folder folder;
  loudness::tone signal;
  signal.segments = std::move(segments);
  signal.rate_hz = rate_hz;
  loudness::write_tone(folder / "signal.wav", signal);
  return trace(folder / "signal.wav");
}

}  // namespace

TEST_CASE("curve: has a value each 100 ms, that of the three seconds before", "[loudness]") {
  const int rate_hz = GENERATE(48000, 44100, 8000);
  const traced all = trace_tone({{-20, 10}, {-40, 10}}, rate_hz);
  CAPTURE(rate_hz);
  REQUIRE(all.last.duration_s == Approx(20));
  REQUIRE(all.values.size() == 171);  // at 3.0 s, 3.1 s ... 20.0 s
  for (std::size_t i = 0; i <= 70; ++i) REQUIRE(all.values[i] == Approx(-20).margin(0.1));
  for (std::size_t i = 71; i <= 100; ++i) REQUIRE(all.values[i] < all.values[i - 1]);
  for (std::size_t i = 100; i <= 170; ++i) REQUIRE(all.values[i] == Approx(-40).margin(0.1));
}

TEST_CASE("curve: silence is minus infinity, and less than three seconds are no curve", "[loudness]") {
  for (const float value : trace_tone({{-1000, 5}}).values) REQUIRE(value == -INFINITY);
  const traced clip = trace_tone({{-20, 2.9}});
  REQUIRE(clip.values.empty());
  REQUIRE(clip.last.failure.empty());
}

TEST_CASE("curve: comes in pieces of some seconds of sound", "[loudness]") {
  const traced all = trace_tone({{-20, 60}});
  REQUIRE(all.pieces > 60);
  REQUIRE(all.pieces < 120);
}

TEST_CASE("curve: what cannot be traced is explained", "[loudness]") {
  const loudness::tests::folder folder;
  std::ofstream(folder / "broken.wav") << "This is a text.\n";
  REQUIRE(contains(trace(folder / "broken.wav").last.failure, "cannot be decoded: "));
  REQUIRE(trace(folder / "missing.wav").last.failure == "No such file or directory");
}

TEST_CASE("measure: tells how much of the file is done, and goes on to its end", "[loudness]") {
  const loudness::tests::folder folder;
  loudness::write_material(folder / "piece.wav", 20.0, 1);
  loudness::measuring work(folder / "piece.wav");
  double before = work.share();
  REQUIRE(before == 0.0);
  int pieces = 1;
  for (; !work.advance(); ++pieces) {
    REQUIRE(work.share() > before);
    before = work.share();
  }
  REQUIRE(work.share() == 1.0);
  REQUIRE(pieces > 20);
}

}  // namespace curve_test
