// The curves that come of the levels of tenths of a second.
#include "loudness_curves.hpp"

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "curve_report.hpp"
#include "folder.hpp"
#include "measure.hpp"
#include "signals.hpp"
#include "support/catch.hpp"
#include "text.hpp"

namespace loudness_curves_test {

namespace {

using loudness::tests::contains;

struct measured_file {
  loudness::result row;
  loudness::level_track track;
  std::vector<float> short_term;  // as the meter says
};

measured_file measure(std::vector<loudness::segment> segments, int rate_hz) {
  const loudness::tests::folder folder;
  loudness::tone signal;
  signal.segments = std::move(segments);
  signal.rate_hz = rate_hz;
  loudness::write_tone(folder / "signal.wav", signal);
  measured_file made;
  loudness::measuring work(folder / "signal.wav");
  for (std::optional<loudness::result> done; !done;) {
    done = work.advance();
    if (done) made.row = *done;
  }
  made.track = work.track();
  loudness::curve_tracing trace(folder / "signal.wav");
  for (bool is_last = false; !is_last;) {
    const loudness::curve_piece piece = trace.advance();
    made.short_term.insert(made.short_term.end(), piece.values.begin(), piece.values.end());
    is_last = piece.is_last;
  }
  return made;
}

template <class Write>
std::string written(Write write) {
  std::ostringstream out;
  write(out);
  return out.str();
}

}  // namespace

TEST_CASE("curves: are those of the meter, for all sample rates", "[loudness]") {
  const int rate_hz = GENERATE(48000, 44100, 8000);
  CAPTURE(rate_hz);
  const measured_file made = measure({{-20, 5}, {-26, 5}, {-50, 5}}, rate_hz);
  const loudness::loudness_curves curves = loudness::curves_of(made.track);
  REQUIRE(curves.momentary.size() == 147);  // at 0.4 s, 0.5 s ... 15.0 s
  REQUIRE(curves.integrated.size() == 147);
  REQUIRE(curves.short_term.size() == made.short_term.size());
  for (std::size_t i = 0; i < made.short_term.size(); ++i) {
    REQUIRE(curves.short_term[i] == Approx(made.short_term[i]).margin(0.05));
  }
  CHECK(curves.momentary[10] == Approx(-20).margin(0.1));
  CHECK(curves.momentary.back() == Approx(-50).margin(0.1));
  CHECK(curves.integrated[10] == Approx(-20).margin(0.1));
  CHECK(curves.integrated.back() == Approx(made.row.figures->integrated.value).margin(0.1));
}

TEST_CASE("curves: silence has none, and a file that is too short no curve", "[loudness]") {
  const loudness::loudness_curves silent = loudness::curves_of(measure({{-1000, 4}}, 8000).track);
  REQUIRE(silent.short_term.size() == 11);
  CHECK(std::isinf(silent.short_term.front()));
  CHECK(std::isinf(silent.integrated.back()));
  const loudness::loudness_curves none = loudness::curves_of({{-2000, -2000, -2000}});
  CHECK(none.momentary.empty());
  CHECK(none.short_term.empty());
}

TEST_CASE("curves: as text, as JSON and as a picture", "[loudness]") {
  loudness::level_track track;
  track.levels.assign(39, std::int16_t{-2300});
  track.levels.push_back(loudness::level_track::silence);
  const loudness::loudness_curves curves = loudness::curves_of(track);
  const std::string text = written([&](auto& out) { loudness::write_curves(out, curves); });
  CHECK(text.starts_with(
      "seconds\tmomentary\tshort-term\tintegrated\n1\t-23.0\t-\t-23.0\n2\t-23.0\t-\t-23.0\n3\t-23.0\t-23.0\t-23.0\n"));
  const std::string json = written([&](auto& out) { loudness::write_curves_json(out, "a\"b", curves); });
  CHECK(contains(json, R"({"path": "a\"b", "step_s": 0.1,)"));
  CHECK(contains(json, R"("short_term_begin_s": 3, "short_term_lufs": [-23.00, -23.00)"));
  const std::string svg = written([&](auto& out) { loudness::write_curves_svg(out, "a<b&c", curves); });
  CHECK(contains(svg, ">a&lt;b&amp;c</text>"));
  CHECK(svg.ends_with("</svg>\n"));
}

}  // namespace loudness_curves_test
