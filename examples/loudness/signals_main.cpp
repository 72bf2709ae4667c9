// loudness-signals: writes the test signals of signals.hpp, or longer pieces, into a folder.
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "signals.hpp"

namespace {

using loudness::segment;
using loudness::tone;

tone steps(std::vector<segment> segments, int rate_hz = 48000) {
  tone made;
  made.segments = std::move(segments);
  made.rate_hz = rate_hz;
  return made;
}

void write_signals(const std::filesystem::path& folder) {
  const std::vector<std::pair<std::string, tone>> signals{
      {"3341-1", steps({{-23, 20}})},
      {"3341-1-44100", steps({{-23, 20}}, 44100)},
      {"3341-2", steps({{-33, 20}})},
      {"3341-3", steps({{-36, 10}, {-23, 60}, {-36, 10}})},
      {"3341-4", steps({{-72, 10}, {-36, 10}, {-23, 60}, {-36, 10}, {-72, 10}})},
      {"3341-5", steps({{-26, 20}, {-20, 20.1}, {-26, 20}})},
      {"3342-1", steps({{-20, 20}, {-30, 20}})},
      {"3342-2", steps({{-20, 20}, {-15, 20}})},
      {"3342-3", steps({{-40, 20}, {-20, 20}})},
      {"3342-4", steps({{-50, 20}, {-35, 20}, {-20, 20}, {-35, 20}, {-50, 20}})},
      {"clip-0.2s", steps({{-23, 0.2}})},
      {"clip-1s", steps({{-23, 1}})},
      {"silence", steps({{-1000, 5}})},
  };
  for (const auto& [name, tone] : signals) write_tone(folder / (name + ".wav"), tone);
  std::ofstream(folder / "broken.wav") << "This is a text, whatever its name says.\n";
}

// Pieces `first` and so on, of 2/3 to 4/3 of the length asked for; every third one a FLAC.
void write_pieces(const std::filesystem::path& folder, unsigned count, double seconds, unsigned first) {
  for (unsigned i = 0; i < count; ++i) {
    const double length_s = seconds * (2.0 + 2.0 * i / (count > 1 ? count - 1 : 1)) / 3.0;
    const unsigned number = first + i;
    const std::string name = "piece-" + std::to_string(number) + (number % 3 == 0 ? ".flac" : ".wav");
    loudness::write_material(folder / name, length_s, number);
  }
}

unsigned to_count(const char* text) {
  const int value = std::stoi(text);
  if (value < 1 || value > 10'000) throw std::invalid_argument("counts are from 1 to 10000");
  return static_cast<unsigned>(value);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2 && argc != 4 && argc != 5) {
    std::cerr << "usage: loudness-signals folder                        the EBU signals\n"
                 "       loudness-signals folder count seconds [first]  so many pieces of about that length\n";
    return 2;
  }
  const std::filesystem::path folder(argv[1]);
  std::filesystem::create_directories(folder);
  if (argc == 2) {
    write_signals(folder);
  } else {
    write_pieces(folder, to_count(argv[2]), std::stod(argv[3]), argc == 5 ? to_count(argv[4]) : 1);
  }
  return 0;
} catch (const std::exception& error) {
  std::cerr << "loudness-signals: " << error.what() << '\n';
  return 1;
}
