// What the command line asks for.
#pragma once

#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace loudness {

enum class sort_key : unsigned char { path, loudness, range, peak, ratio, duration };

struct options {
  std::vector<std::filesystem::path> roots;  // folders and files
  sort_key sort = sort_key::path;
  unsigned workers = 0;  // 0: one per processing unit
  bool json = false;
  bool progress = false;  // also when stderr is not a terminal
  bool stats = false;
  bool inspect = false;  // a page for the browser
  bool help = false;

  std::filesystem::path store{};  // keeps the results; empty: they are not kept
  bool forget = false;            // what is gone, in the roots, or everywhere if there are none
  bool histogram = false;         // of the peak-to-loudness ratio

  std::filesystem::path browsed{};  // a store that is read only, and no sound files; empty: sound files are measured
  std::string text{};               // only paths with it
  std::filesystem::path curves{};   // of this file, instead of a table
  bool is_grouped = false;          // by folder
  bool svg = false;                 // curves as a picture
};

// what() names the argument and the remedy.
class argument_error : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// The arguments without the program's name. Throws argument_error.
options parse_options(std::span<const char* const> arguments);

std::string_view help_text() noexcept;

}  // namespace loudness
