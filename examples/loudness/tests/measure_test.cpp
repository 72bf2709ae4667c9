// The figures against those that EBU Tech 3341 and 3342 require, more strictly: within 0.1.
#include "measure.hpp"

#include <sys/stat.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "folder.hpp"
#include "report.hpp"
#include "signals.hpp"
#include "sound_file.hpp"
#include "support/catch.hpp"
#include "text.hpp"

namespace measure_test {

namespace {

using loudness::figure;
using loudness::measurement;
using loudness::segment;
using loudness::tone;
using loudness::tests::contains;

constexpr double tolerance = 0.1;

measurement measure_tone(const tone& signal) {
  const loudness::tests::folder folder;
  loudness::write_tone(folder / "signal.wav", signal);
  return loudness::measure(folder / "signal.wav").figures.value();
}

tone steps(std::vector<segment> segments) {
  tone made;
  made.segments = std::move(segments);
  return made;
}

void require_figure(const figure& found, double expected) {
  REQUIRE(found.is_measured());
  CAPTURE(found.value, expected);
  REQUIRE(std::fabs(found.value - expected) <= tolerance);
}

std::string failure_of(const std::filesystem::path& file) {
  const loudness::result result = loudness::measure(file);
  REQUIRE_FALSE(result.figures);
  return result.failure;
}

}  // namespace

TEST_CASE("measure: the integrated loudness of the signals of EBU Tech 3341 is met at 48 and 44.1 kHz", "[loudness]") {
  const std::vector<std::pair<std::vector<segment>, double>> cases{
      {{{-23, 20}}, -23.0},
      {{{-33, 20}}, -33.0},
      {{{-36, 10}, {-23, 60}, {-36, 10}}, -23.0},
      {{{-72, 10}, {-36, 10}, {-23, 60}, {-36, 10}, {-72, 10}}, -23.0},
      {{{-26, 20}, {-20, 20.1}, {-26, 20}}, -23.0},
  };
  const int rate_hz = GENERATE(48000, 44100);
  for (const auto& [segments, expected] : cases) {
    tone signal = steps(segments);
    signal.rate_hz = rate_hz;
    CAPTURE(rate_hz, segments.size());
    require_figure(measure_tone(signal).integrated, expected);
  }
}

TEST_CASE("measure: the loudness range of the signals of EBU Tech 3342 is met", "[loudness]") {
  const std::vector<std::pair<std::vector<segment>, double>> cases{
      {{{-20, 20}, {-30, 20}}, 10.0},
      {{{-20, 20}, {-15, 20}}, 5.0},
      {{{-40, 20}, {-20, 20}}, 20.0},
      {{{-50, 20}, {-35, 20}, {-20, 20}, {-35, 20}, {-50, 20}}, 15.0},
  };
  for (const auto& [segments, expected] : cases) {
    CAPTURE(expected);
    require_figure(measure_tone(steps(segments)).range, expected);
  }
}

TEST_CASE("measure: true peaks between the samples are found within +0.2 and -0.4 dB", "[loudness]") {
  struct peak_case {
    double divisor;
    double phase_degrees;
    double level_dbfs;
  };
  // Tech 3341, 15 to 19. Their highest samples lie up to 3 dB below the peak.
  const peak_case peak = GENERATE(peak_case{4, 0, -6.02}, peak_case{4, 45, -6.02}, peak_case{6, 60, -6.02},
                                  peak_case{8, 67.5, -6.02}, peak_case{4, 45, 3.0});
  const int rate_hz = GENERATE(48000, 44100);
  tone signal = steps({{peak.level_dbfs, 2}});
  signal.rate_hz = rate_hz;
  signal.frequency_hz = rate_hz / peak.divisor;
  signal.phase_degrees = peak.phase_degrees;
  signal.fade_in_s = 0.5;  // a sudden beginning has peaks of its own
  signal.format = SF_FORMAT_WAV | SF_FORMAT_FLOAT;
  const figure found = measure_tone(signal).true_peak;
  CAPTURE(peak.divisor, peak.phase_degrees, rate_hz);
  REQUIRE(found.is_measured());
  REQUIRE(found.value <= peak.level_dbfs + 0.2);
  REQUIRE(found.value >= peak.level_dbfs - 0.4);
}

TEST_CASE("measure: the surround channels weigh more than the front ones", "[loudness]") {
  tone signal = steps({{0, 20}});
  signal.channel_gains_db = {-28, -28, -24, -30, -30};  // Tech 3341, 6
  require_figure(measure_tone(signal).integrated, -23.0);
}

TEST_CASE("measure: the bass channel counts for nothing, wherever the format has it", "[loudness]") {
  tone signal = steps({{0, 10}});
  SECTION("fourth in WAV") {
    signal.channel_gains_db = {-23, -23, -120, 0, -120, -120};
    require_figure(measure_tone(signal).integrated, -23.0);
  }
  SECTION("last in Opus and Vorbis") {
    signal.frequency_hz = 60;  // the encoders cut the bass channel above some 100 Hz
    signal.format = SF_FORMAT_OGG | SF_FORMAT_VORBIS;
    signal.channel_gains_db = {-23, -120, -23, -120, -120, -120};
    const figure without = measure_tone(signal).integrated;
    signal.channel_gains_db.back() = -10;
    require_figure(measure_tone(signal).integrated, without.value);
  }
}

TEST_CASE("measure: a clip too short for a figure says so", "[loudness]") {
  const measurement clip = measure_tone(steps({{-23, 0.2}}));
  REQUIRE(clip.integrated.kind == figure::state::too_short);
  REQUIRE(clip.range.kind == figure::state::too_short);
  REQUIRE(clip.true_peak.is_measured());
  const measurement second = measure_tone(steps({{-23, 1.0}}));
  require_figure(second.integrated, -23.0);
  REQUIRE(second.range.kind == figure::state::too_short);
}

TEST_CASE("measure: one frame makes the difference between too short and a figure", "[loudness]") {
  const double frame_s = 1.0 / 48000;
  REQUIRE(measure_tone(steps({{-23, 0.4 - frame_s}})).integrated.kind == figure::state::too_short);
  REQUIRE(measure_tone(steps({{-23, 0.4}})).integrated.is_measured());
  REQUIRE(measure_tone(steps({{-23, 3.0 - frame_s}})).range.kind == figure::state::too_short);
  REQUIRE(measure_tone(steps({{-23, 3.0}})).range.is_measured());
}

TEST_CASE("measure: a file without a single frame has no figures", "[loudness]") {
  const measurement none = measure_tone(steps({{-23, 0.0}}));
  REQUIRE(none.duration_s == 0.0);
  for (const figure& f : {none.integrated, none.range, none.true_peak}) REQUIRE(f.kind == figure::state::too_short);
}

TEST_CASE("measure: silence is called silence", "[loudness]") {
  const measurement quiet = measure_tone(steps({{-1000, 5}}));
  for (const figure& f : {quiet.integrated, quiet.range, quiet.true_peak}) REQUIRE(f.kind == figure::state::silent);
  const measurement below_gate = measure_tone(steps({{-80, 5}}));
  REQUIRE(below_gate.integrated.kind == figure::state::silent);
  require_figure(below_gate.true_peak, -80.0);
}

TEST_CASE("measure: what cannot be measured is explained", "[loudness]") {
  const loudness::tests::folder folder;
  std::ofstream(folder / "broken.wav") << "This is a text.\n";
  REQUIRE(contains(failure_of(folder / "broken.wav"), "cannot be decoded: "));
  REQUIRE(failure_of(folder / "missing.wav") == "No such file or directory");
  REQUIRE(failure_of(folder.path()) == "not a regular file");
  std::ofstream(folder / "empty.wav").flush();
  REQUIRE(failure_of(folder / "empty.wav") == "the file is empty");
  REQUIRE(::mkfifo((folder / "pipe.wav").c_str(), 0600) == 0);
  REQUIRE(failure_of(folder / "pipe.wav") == "not a regular file");
}

TEST_CASE("measure: a sample that is not a number is refused, instead of hiding what follows it", "[loudness]") {
  const loudness::tests::folder folder;
  SF_INFO info{};
  info.samplerate = 48000;
  info.channels = 1;
  info.format = SF_FORMAT_WAV | SF_FORMAT_FLOAT;
  std::vector<float> samples(48000, 0.1f);
  samples[1000] = std::numeric_limits<float>::quiet_NaN();
  SNDFILE* const file = sf_open((folder / "nan.wav").c_str(), SFM_WRITE, &info);
  REQUIRE(file != nullptr);
  sf_writef_float(file, samples.data(), 48000);
  sf_close(file);
  REQUIRE(contains(failure_of(folder / "nan.wav"), "not finite"));
}

TEST_CASE("measure: a file that ends in the middle of its sound is measured as far as it goes, and called cut short",
          "[loudness]") {
  const loudness::tests::folder folder;
  struct container {
    const char* name;
    int format;
    const char* says;
  };
  for (const container& made : {container{"cut.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, "header says 0:04.0"},
                                container{"cut.rf64", SF_FORMAT_RF64 | SF_FORMAT_PCM_16, "header says 0:04.0"},
                                container{"cut.aiff", SF_FORMAT_AIFF | SF_FORMAT_PCM_16, "header says 0:04.0"},
                                container{"cut.au", SF_FORMAT_AU | SF_FORMAT_PCM_16, "header says 0:04.0"},
                                container{"cut.ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS, "its last page is missing"}}) {
    tone signal = steps({{-23, 4}});
    signal.format = made.format;
    loudness::write_tone(folder / made.name, signal);
    CAPTURE(made.name);
    REQUIRE(loudness::measure(folder / made.name).figures.value().cut_short.empty());
    // Enough that some of a compressed sound is left.
    std::filesystem::resize_file(folder / made.name, std::filesystem::file_size(folder / made.name) * 2 / 3);
    const measurement found = loudness::measure(folder / made.name).figures.value();
    CAPTURE(found.cut_short, found.duration_s);
    REQUIRE(found.duration_s < 3.9);
    REQUIRE(contains(found.cut_short, made.says));
    REQUIRE(found.cut_short.ends_with("file has " + loudness::duration_text(found.duration_s)));
  }
}

TEST_CASE("measure: a FLAC that ends in the middle of its sound is called cut short, or explained", "[loudness]") {
  const loudness::tests::folder folder;
  loudness::write_material(folder / "cut.flac", 4.0, 1);
  const auto whole = std::filesystem::file_size(folder / "cut.flac");
  for (const auto left : {whole - whole / 3, whole / 2, whole / 3}) {
    std::filesystem::resize_file(folder / "cut.flac", left);
    const loudness::result result = loudness::measure(folder / "cut.flac");
    CAPTURE(left, result.failure);
    if (result.figures) {
      REQUIRE(contains(result.figures->cut_short, "header says 0:04.0, file has 0:0"));
    } else {
      REQUIRE(contains(result.failure, "cannot be decoded: "));
    }
  }
}

TEST_CASE("measure: sound behind a header that says 0 bytes is not taken for nothing", "[loudness]") {
  const loudness::tests::folder folder;
  loudness::write_tone(folder / "unsaid.wav", steps({{-23, 1}}));
  const auto write_length = [&](std::uint32_t bytes) {
    std::string all;
    {
      std::ifstream in(folder / "unsaid.wav", std::ios::binary);
      all.assign(std::istreambuf_iterator<char>(in), {});
    }
    const std::size_t at = all.find("data") + 4;
    for (std::size_t i = 0; i < 4; ++i) all[at + i] = static_cast<char>(bytes >> 8 * i);
    std::ofstream(folder / "unsaid.wav", std::ios::binary) << all;
  };
  write_length(0);
  REQUIRE(loudness::measure(folder / "unsaid.wav").figures.value().cut_short ==
          "header says 0:00.0, but 288000 bytes follow it");
  write_length(0xffffffff);  // a stream, whose length was not known when its header was written
  const measurement stream = loudness::measure(folder / "unsaid.wav").figures.value();
  REQUIRE(stream.cut_short.empty());
  REQUIRE(stream.duration_s == 1.0);
}

TEST_CASE("measure: what a header promises costs no more than the file is worth", "[loudness]") {
  const loudness::tests::folder folder;
  tone signal = steps({{-23, 0.000004}});
  signal.rate_hz = 2'800'000;
  signal.channel_gains_db = std::vector<double>(64, 0.0);
  loudness::write_tone(folder / "promise.wav", signal);
  const auto begin = std::chrono::steady_clock::now();
  REQUIRE(contains(failure_of(folder / "promise.wav"), "64 channels at 2800000 Hz, which would take 4101 MiB"));
  REQUIRE(std::chrono::steady_clock::now() - begin < std::chrono::seconds(10));  // 4 GB take longer
  // A short clip in a large format is no such file.
  signal = steps({{-23, 0.1}});
  signal.rate_hz = 192'000;
  signal.channel_gains_db = std::vector<double>(8, 0.0);
  loudness::write_tone(folder / "clip.wav", signal);
  REQUIRE(loudness::measure(folder / "clip.wav").figures.value().channels == 8);
}

TEST_CASE("measure: samples beyond any sound are refused, instead of being called silent", "[loudness]") {
  const loudness::tests::folder folder;
  tone signal = steps({{765, 1}});
  signal.format = SF_FORMAT_WAV | SF_FORMAT_FLOAT;
  loudness::write_tone(folder / "loud.wav", signal);
  REQUIRE(contains(failure_of(folder / "loud.wav"), "above +200 dBFS"));
  // Whole numbers that were never divided by full scale are.
  require_figure(measure_tone([&] {
                   signal.segments = {{90, 1}};
                   return signal;
                 }())
                     .integrated,
                 90.0);
}

}  // namespace measure_test
