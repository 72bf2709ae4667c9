#include "options.hpp"

#include <array>
#include <charconv>
#include <cstddef>
#include <system_error>
#include <utility>

namespace loudness {
namespace {

constexpr unsigned workers_max = 1024;

constexpr std::array<std::pair<std::string_view, sort_key>, 5> sort_keys{{
    {"path", sort_key::path},
    {"loudness", sort_key::loudness},
    {"range", sort_key::range},
    {"peak", sort_key::peak},
    {"duration", sort_key::duration},
}};

unsigned parse_workers(std::string_view text) {
  unsigned count = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc{} || stopped != end || count < 1 || count > workers_max) {
    throw argument_error("--workers: '" + std::string(text) + "' is not a number from 1 to " +
                         std::to_string(workers_max) + "; leave it out for one worker per processing unit");
  }
  return count;
}

sort_key parse_sort(std::string_view text) {
  for (const auto& [name, key] : sort_keys) {
    if (name == text) return key;
  }
  throw argument_error("--sort: cannot sort by '" + std::string(text) +
                       "'; use path, loudness, range, peak or duration");
}

// Null: not a switch.
bool* find_switch(options& asked, std::string_view name) {
  if (name == "--json") return &asked.json;
  if (name == "--progress") return &asked.progress;
  if (name == "--stats") return &asked.stats;
  if (name == "--inspect") return &asked.inspect;
  return name == "--help" || name == "-h" ? &asked.help : nullptr;
}

// REQUIRES: takes_value(name)
void set_value(options& asked, std::string_view name, std::string_view value) {
  if (name == "--workers") {
    asked.workers = parse_workers(value);
  } else {
    asked.sort = parse_sort(value);
  }
}

bool takes_value(std::string_view name) { return name == "--workers" || name == "--sort"; }

// `--name`, `--name value` or `--name=value`; moves `at` to the last argument that was used.
void set_option(options& asked, std::span<const char* const> arguments, std::size_t& at) {
  const std::string text = arguments[at];
  const auto equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (takes_value(name)) {
    if (equals != std::string::npos) return set_value(asked, name, text.substr(equals + 1));
    if (at + 1 == arguments.size()) throw argument_error(name + ": needs a value; see --help");
    return set_value(asked, name, arguments[++at]);
  }
  bool* const found = find_switch(asked, text);
  if (found == nullptr) {
    throw argument_error("unknown option '" + text + "'; see --help, or write ./" + text + " if it is a file");
  }
  *found = true;
}

void add_root(options& asked, std::string_view text) {
  if (text.empty()) throw argument_error("an empty argument is not a folder or file; use . for this folder");
  const std::filesystem::path root(text);
  std::error_code error;
  if (!std::filesystem::exists(root, error)) {
    throw argument_error("'" + root.string() + "': " + (error ? error.message() : "no such folder or file") +
                         "; check the path");
  }
  asked.roots.push_back(root.lexically_normal());
}

}  // namespace

options parse_options(std::span<const char* const> arguments) {
  options asked;
  bool only_paths = false;
  for (std::size_t at = 0; at < arguments.size(); ++at) {
    const std::string_view text = arguments[at];
    if (!only_paths && text == "--") {
      only_paths = true;
    } else if (!only_paths && text.size() > 1 && text.front() == '-') {
      set_option(asked, arguments, at);
    } else {
      add_root(asked, text);
    }
  }
  if (asked.roots.empty() && !asked.help) throw argument_error("no folder or file given; try: loudness .");
  return asked;
}

std::string_view help_text() noexcept {
  return R"(usage: loudness [options] folder-or-file...

Measures sound files by EBU R128: integrated loudness (LUFS), loudness range (LU)
and true peak (dBTP). Folders are searched for names that end in .wav .flac .ogg
.oga .opus .aiff .aif .au .caf or .mp3; links to folders in them are not followed.
A file that is given itself is measured whatever its name.

  --sort KEY     path (default), or loudness, range, peak, duration: the highest
                 or longest first
  --json         one JSON object instead of the table
  --workers N    threads, 1 to 1024; default: one per processing unit
  --progress     show progress on stderr, also when that is not a terminal
  --stats        time and the engine's statistics on stderr, at the end
  --inspect      show in the browser what the program does, if it was built
                 with tact-inspect
  --help         this text

In place of a figure:
  too short      less than 0.4 s for the loudness, less than 3 s for the range
  silent         nothing above -70 LUFS, or no peak at all
A mono file counts as one loudspeaker. The largest files are measured first.

A file that ends before its sound does is measured as far as it goes, and shown
as cut short, too.

exit status: 0 all files measured; 1 some file could not be, or is cut short: the
             reason is shown; 2 wrong arguments, or nothing found to measure
)";
}

}  // namespace loudness
