#include "options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <system_error>
#include <utility>

namespace loudness {
namespace {

constexpr unsigned workers_max = 1024;

constexpr std::array<std::pair<std::string_view, sort_key>, 6> sort_keys{{
    {"path", sort_key::path},
    {"loudness", sort_key::loudness},
    {"range", sort_key::range},
    {"peak", sort_key::peak},
    {"ratio", sort_key::ratio},
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
                       "'; use path, loudness, range, peak, ratio or duration");
}

// Null: not a switch.
bool* find_switch(options& asked, std::string_view name) {
  if (name == "--json") return &asked.json;
  if (name == "--progress") return &asked.progress;
  if (name == "--stats") return &asked.stats;
  if (name == "--inspect") return &asked.inspect;
  if (name == "--forget") return &asked.forget;
  if (name == "--histogram") return &asked.histogram;
  if (name == "--group") return &asked.is_grouped;
  if (name == "--svg") return &asked.svg;
  return name == "--help" || name == "-h" ? &asked.help : nullptr;
}

// REQUIRES: takes_value(name)
void set_value(options& asked, std::string_view name, std::string_view value) {
  if (name == "--workers") {
    asked.workers = parse_workers(value);
  } else if (name == "--sort") {
    asked.sort = parse_sort(value);
  } else if (name == "--find") {
    asked.text = value;
  } else {
    if (value.empty()) throw argument_error(std::string(name) + ": an empty name is not a file");
    (name == "--store" ? asked.store : name == "--browse" ? asked.browsed : asked.curves) = value;
  }
}

bool takes_value(std::string_view name) {
  constexpr std::array<std::string_view, 6> names{"--workers", "--sort", "--store", "--browse", "--find", "--curves"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

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

void refuse(bool is_wrong, const char* why) {
  if (is_wrong) throw argument_error(why);
}

void require_sense(const options& asked) {
  const bool browses = !asked.browsed.empty();
  const bool shows_curves = !asked.curves.empty();
  refuse(browses && !asked.store.empty(), "--browse: does not measure, so it has no --store; leave out one of them");
  refuse(browses && !asked.roots.empty(),
         "--browse: reads what was kept, and no sound files; leave the folders out, or look for them with --find");
  refuse(!browses && (shows_curves || !asked.text.empty() || asked.is_grouped),
         "--find, --group and --curves: read what was kept; say where with --browse FILE");
  refuse(asked.svg && !shows_curves, "--svg: is a picture of the curves of a file; say of which with --curves PATH");
  refuse(asked.svg && asked.json, "--svg: is no JSON; leave out one of them");
  refuse(asked.forget && asked.store.empty(), "--forget: say where with --store FILE");
  const bool has_work = browses || asked.forget || !asked.roots.empty();
  refuse(!has_work, "no folder or file given; try: loudness .");
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
  if (!asked.help) require_sense(asked);
  return asked;
}

std::string_view help_text() noexcept {
  return R"(usage: loudness [options] folder-or-file...
       loudness --store FILE [--forget] [options] [folder-or-file...]
       loudness --browse FILE [--find TEXT] [--sort KEY] [--group] [options]
       loudness --browse FILE --curves PATH [--json|--svg]

Measures sound files by EBU R128: integrated loudness (LUFS), loudness range (LU)
and true peak (dBTP). Folders are searched for names that end in .wav .flac .ogg
.oga .opus .aiff .aif .au .caf or .mp3; links to folders in them are not followed.
A file that is given itself is measured whatever its name.

  --sort KEY     path (default), or loudness, range, peak, ratio (of the peak to
                 the loudness: PLR), duration: the highest or longest first
  --json         one JSON object instead of the table
  --workers N    threads, 1 to 1024; default: one per processing unit
  --progress     show progress on stderr, also when that is not a terminal
  --stats        time and the engine's statistics on stderr, at the end
  --inspect      show in the browser what the program does, if it was built
                 with tact-inspect
  --histogram    in place of the table: how many files have which ratio of the
                 peak to the loudness
  --help         this text

With a store:
  --store FILE   keep the results in FILE. A file is not measured again if its size
                 and its time have not changed, or if its content is known: it was
                 moved, copied, or only touched. Whenever the program or the machine
                 stops, at most the results of the last second are lost
  --forget       forget the files that are gone: of those in the folders, or all
  --browse FILE  show what was kept, also while another process keeps more. The
                 sound files need not be there
  --find TEXT    only files whose path has TEXT, whatever the case of its letters
  --group        folder by folder
  --curves PATH  the momentary, short-term and integrated loudness of a file over
                 its time; with --svg as a picture

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
