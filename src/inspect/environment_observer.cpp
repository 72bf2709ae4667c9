#include "tact/inspect/environment_observer.hpp"

#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "inspect/stack_request.hpp"
#include "tact/inspect/engine_stacks.hpp"
#include "tact/inspect/metrics.hpp"
#include "tact/inspect/recorder.hpp"
#include "tact/inspect/signal_call.hpp"
#include "tact/inspect/watchdog.hpp"

namespace tact::inspect {

namespace {

std::string text_of(const char* name) {
  const char* const text = ::secure_getenv(name);
  return text == nullptr ? std::string() : std::string(text);
}

// 0: it is not set.
unsigned number_of(const char* name) {
  const std::string text = text_of(name);
  if (text.empty()) return 0;
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number != 0) return number;
  throw option_error(std::string(name) + " = " + text + " (in the environment): give a number of 1 or more");
}

// How stacks are taken.
stack_options stacks() {
  constexpr const char* name = "TACT_STACK_SIGNAL";
  stack_options options;
  const std::string text = text_of(name);
  if (text.empty()) return options;
  const std::string told = std::string(name) + " = " + text + " (in the environment): ";
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), options.signal);
  if (error != std::errc() || end != text.data() + text.size())
    throw option_error(told + "give the number of a signal, or 0");
  try {
    check(options);
  } catch (const option_error& e) {
    throw option_error(told + e.what());
  }
  return options;
}

bool is_on(const char* name) {
  const std::string text = text_of(name);
  if (text.empty() || text == "0") return false;
  if (text == "1") return true;
  throw option_error(std::string(name) + " = " + text + " (in the environment): give 0 or 1");
}

template <class Write>
void write_file(const std::string& path, Write write) noexcept {
  try {
    std::ofstream file(path);
    write(file);
    file.close();
    if (!file.fail()) return;
  } catch (...) {
    // It is said below.
  }
  std::fprintf(stderr, "tact: %s cannot be written\n", path.c_str());
}

}  // namespace

class environment_observer::parts {
 public:
  explicit parts(engine& of) {
    if (!trace_path_.empty()) {
      const unsigned one_of = number_of("TACT_TRACE_ONE_OF");
      recorder_.emplace(of, recorder_options{.one_of = one_of == 0 ? 1 : one_of});
      aborts_.emplace(SIGABRT, [this] { write_trace(); });
      crashes_.emplace(SIGSEGV, [this] { write_trace(); });
    }
    if (!metrics_path_.empty()) metrics_.emplace(of);
    if (const unsigned ms = number_of("TACT_WATCHDOG_MS"))
      watchdog_.emplace(of, watchdog_options{.limit = std::chrono::milliseconds(ms), .stacks = stacks_});
    if (is_on("TACT_DESCRIBE")) describes_.emplace(SIGQUIT, [this, &of] { describe(of); });
  }
  parts(const parts&) = delete;
  parts& operator=(const parts&) = delete;
  ~parts() {
    aborts_.reset();
    crashes_.reset();
    if (recorder_) write_trace();
    if (metrics_)
      write_file(metrics_path_, [this](std::ostream& to) { write_prometheus(to, metrics_of(metrics_->read())); });
  }

 private:
  void write_trace() const noexcept {
    write_file(trace_path_, [this](std::ostream& to) { recorder_->read().write_chrome_json(to); });
  }

  void describe(engine& of) const {
    std::cerr << describe_with_stacks(of, stacks_, watchdog_ ? &*watchdog_ : nullptr) << std::flush;
  }

  const stack_options stacks_ = stacks();
  const std::string trace_path_ = text_of("TACT_TRACE");
  const std::string metrics_path_ = text_of("TACT_METRICS");
  std::optional<recorder> recorder_;
  std::optional<metrics> metrics_;
  std::optional<watchdog> watchdog_;
  std::optional<signal_call> aborts_;
  std::optional<signal_call> crashes_;
  std::optional<signal_call> describes_;
};

environment_observer::environment_observer(engine& of) : parts_(std::make_unique<parts>(of)) {}
environment_observer::~environment_observer() = default;

}  // namespace tact::inspect
