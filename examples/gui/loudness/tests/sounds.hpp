// Folders of sound files for the tests: few sounds under many names, because to make sound takes longer than to measure
// it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "folder.hpp"
#include "signals.hpp"

namespace loudness::tests {

class sounds {
 public:
  // A tone at some levels, one after the other.
  void add(const std::string& name, std::vector<segment> segments) {
    tone signal;
    signal.segments = std::move(segments);
    signal.format = SF_FORMAT_WAV | SF_FORMAT_PCM_16;
    write_tone(path_of(name), signal);
  }
  // The same sound under other names, NAME-000.wav and so on.
  void repeat(const std::string& name, std::size_t times) {
    for (std::size_t i = 0; i < times; ++i) {
      const std::string number = std::to_string(1000 + i).substr(1);
      std::filesystem::create_hard_link(folder_ / name,
                                        folder_ / (name.substr(0, name.size() - 4) + '-' + number + ".wav"));
    }
  }
  // The folder for it is made.
  [[nodiscard]] std::filesystem::path path_of(const std::string& name) const {
    const std::filesystem::path path = folder_ / name;
    std::filesystem::create_directories(path.parent_path());
    return path;
  }
  [[nodiscard]] std::string path() const { return folder_.path().string(); }

 private:
  folder folder_;
};

}  // namespace loudness::tests
