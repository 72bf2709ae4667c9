// What the programs of the suite share: their options, their clocks, and the one JSON object that each prints.
#pragma once

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <map>
#include <string>
#include <string_view>

namespace bench {

// Wall time and the CPU time of all threads, from its making until stop().
class stopwatch {
 public:
  stopwatch();
  void stop();
  [[nodiscard]] double seconds() const { return seconds_; }
  [[nodiscard]] double cpu_seconds() const { return cpu_seconds_; }

 private:
  std::chrono::steady_clock::time_point began_;
  double cpu_began_;
  double seconds_ = 0;
  double cpu_seconds_ = 0;
};

// Resident memory of the process now, in MiB.
[[nodiscard]] double resident_mib();

// One run of one program. First its options are asked for, by number and choice; then comes ready(). A command line
// that makes no sense ends the program with status 2, and a sentence that names an option.
class program {
 public:
  // `summary` is for --help; `runtime` for --version, which also names the compiler.
  program(int argc, char** argv, std::string_view summary, std::string_view runtime);

  [[nodiscard]] unsigned threads() const { return threads_; }
  [[nodiscard]] bool tiny() const { return flags_.at("--tiny"); }

  // A parameter, which the result names: its value in an ordinary and in a tiny run.
  std::uint64_t number(const std::string& name, std::uint64_t ordinary, std::uint64_t tiny_value, const char* text,
                       std::uint64_t least = 1, std::uint64_t most = std::numeric_limits<std::uint32_t>::max());
  // One of several words; the first is what it is unless the command line says otherwise.
  std::string choice(const std::string& name, std::initializer_list<const char*> words, const char* text);
  // Answers --help and --options, and refuses options that the program does not know.
  void ready();
  // What has to hold between options. The text names them, as --name. Before ready().
  void require(bool sensible, const char* text) const;

  // Something that belongs beside the result.
  void say(const std::string& name, const std::string& value);

  // Is the result right? Once it was not the run is invalid.
  void check(bool right, const char* what);
  void check_equal(std::uint64_t found, std::uint64_t expected, const char* what);

  // Prints the result; what main returns. `messages` were handled while the watch ran.
  [[nodiscard]] int report(const stopwatch& watch, std::uint64_t messages) const;

 private:
  std::uint64_t take(const std::string& name, std::uint64_t otherwise, std::uint64_t least, std::uint64_t most,
                     const char* text);
  void explain(const std::string& form, const std::string& value, const char* text);
  [[nodiscard]] bool only_explains() const { return flags_.at("--help") || flags_.at("--options"); }

  std::map<std::string, bool> flags_{{"--tiny", false}, {"--version", false}, {"--help", false}, {"--options", false}};
  std::map<std::string, std::string> given_;  // on the command line, and not asked for yet
  std::string help_;
  std::string options_;  // what --options prints: a JSON object for each, on a line of its own
  std::string parameters_;
  unsigned threads_ = 1;
  bool valid_ = true;
};

}  // namespace bench
