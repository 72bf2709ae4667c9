#include "programs/program.hpp"

#include <time.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#if defined(TACT_MODELLED)
#include <tact/model.hpp>
#endif

namespace bench {
namespace {

template <class... Parts>
std::string join(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

[[noreturn]] void refuse(const std::string& why) {
  std::fprintf(stderr, "%s; see --help\n", why.c_str());
  std::exit(2);
}

#ifdef __clang__
constexpr const char* compiler = __VERSION__;
#else
constexpr const char* compiler = "g++ " __VERSION__;
#endif

double cpu_now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

// Not that of getrusage: there a new program begins with what its parent held when it was started.
double peak_rss_mib() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != "VmHWM:") continue;
    double kib = 0;
    status >> kib;
    return kib / 1024;
  }
  return 0;
}

}  // namespace

double resident_mib() {
  std::ifstream statm("/proc/self/statm");
  double all = 0, resident = 0;
  statm >> all >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1024 * 1024);
}

namespace {

// A model tells of what happens while the watch runs.
#if defined(TACT_MODELLED)
void begin_counting() { tact::model::begin_counting(); }
void end_counting() { tact::model::end_counting(); }
#else
void begin_counting() {}
void end_counting() {}
#endif

}  // namespace

stopwatch::stopwatch() {
  begin_counting();
  began_ = std::chrono::steady_clock::now();
  cpu_began_ = cpu_now();
}

void stopwatch::stop() {
  end_counting();
  seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  cpu_seconds_ = cpu_now() - cpu_began_;
}

program::program(int argc, char** argv, std::string_view summary, std::string_view runtime) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (const auto flag = flags_.find(argument); flag != flags_.end()) {
      flag->second = true;
    } else if (!argument.starts_with("--")) {
      refuse(join(argument, " is no option"));
    } else if (++i == argc) {
      refuse(join(argument, " needs a value"));
    } else {
      given_[argument.substr(2)] = argv[i];
    }
  }
  if (flags_["--version"]) {
    std::puts(join(runtime, "\n", compiler).c_str());
    std::exit(0);
  }
  help_ = join(summary, "\nPrints one JSON object; ends with status 1 if the result is wrong.\n\n");
  explain("--tiny", "", "a run for tests");
  explain("--version", "", "what it runs on");
  explain("--options", "", "its options and their values, for programs");
  threads_ = static_cast<unsigned>(take("threads", 1, 1, 1024, "threads"));
}

std::uint64_t program::number(const std::string& name, std::uint64_t ordinary, std::uint64_t tiny_value,
                              const char* text, std::uint64_t least, std::uint64_t most) {
  const std::uint64_t value = take(name, tiny() ? tiny_value : ordinary, least, most, text);
  say(name, std::to_string(value));
  return value;
}

std::string program::choice(const std::string& name, std::initializer_list<const char*> words, const char* text) {
  std::string all, quoted;
  for (const char* word : words) {
    all = all.empty() ? word : join(all, "|", word);
    quoted = join(quoted, quoted.empty() ? "" : ", ", '"', word, '"');
  }
  options_ = join(options_, "{\"name\": \"", name, "\", \"words\": [", quoted, "]}\n");
  explain(join("--", name, " ", all), *words.begin(), text);
  std::string value = *words.begin();
  if (const auto given = given_.find(name); given != given_.end()) {
    value = given->second;
    given_.erase(given);
  }
  bool known = false;
  for (const char* word : words) known = known || value == word;
  if (!known) refuse(join("--", name, " is one of ", all, ", not ", value));
  say(name, value);
  return value;
}

void program::ready() {
  if (flags_["--help"]) {
    std::fputs(help_.c_str(), stdout);
    std::exit(0);
  }
  if (flags_["--options"]) {
    std::fputs(options_.c_str(), stdout);
    std::exit(0);
  }
  if (!given_.empty()) refuse(join("there is no option --", given_.begin()->first));
}

void program::require(bool sensible, const char* text) const {
  if (!sensible && !only_explains()) refuse(text);
}

void program::say(const std::string& name, const std::string& value) {
  parameters_ = join(parameters_, parameters_.empty() ? "" : " ", name, "=", value);
}

void program::check(bool right, const char* what) {
  if (!right && valid_) std::fprintf(stderr, "wrong result: %s\n", what);
  valid_ = valid_ && right;
}

void program::check_equal(std::uint64_t found, std::uint64_t expected, const char* what) {
  if (found == expected) return;
  check(false, join(what, ": ", found, ", not ", expected).c_str());
}

int program::report(const stopwatch& watch, std::uint64_t messages) const {
  std::printf(
      "{\"seconds\": %.9f, \"messages\": %llu, \"cpu_seconds\": %.9f, \"peak_rss_mib\": %.2f, \"valid\": %s, "
      "\"parameters\": \"%s\"}\n",
      watch.seconds(), static_cast<unsigned long long>(messages), watch.cpu_seconds(), peak_rss_mib(),
      valid_ ? "true" : "false", parameters_.c_str());
  return valid_ ? 0 : 1;
}

std::uint64_t program::take(const std::string& name, std::uint64_t otherwise, std::uint64_t least, std::uint64_t most,
                            const char* text) {
  explain(join("--", name, " N"), std::to_string(otherwise), text);
  options_ = join(options_, "{\"name\": \"", name, "\", \"least\": ", least, ", \"usual\": ", otherwise,
                  ", \"most\": ", most, "}\n");
  const auto given = given_.find(name);
  if (given == given_.end()) return otherwise;
  const std::string words = given->second;
  given_.erase(given);
  std::uint64_t value = 0;
  const char* const last = words.data() + words.size();
  const auto [end, error] = std::from_chars(words.data(), last, value);
  if (error != std::errc{} || end != last || value < least || value > most) {
    refuse(join("--", name, " is a number from ", least, " to ", most, ", not ", words));
  }
  return value;
}

void program::explain(const std::string& form, const std::string& value, const char* text) {
  constexpr std::size_t column = 46;
  const std::string padding(form.size() < column ? column - form.size() : 1, ' ');
  help_ = join(help_, "  ", form, padding, text, value.empty() ? "" : "; unless given ", value, "\n");
}

}  // namespace bench
