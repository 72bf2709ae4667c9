#include "tact/inspect/timed.hpp"

#include <mutex>
#include <ostream>
#include <string>

#include "tact/detail/deadline.hpp"

namespace tact::inspect {

using std::chrono::steady_clock;

// Answers come on any worker. The lock is held for some nanoseconds.
struct timing::figures {
  mutable std::mutex mutex;
  distribution answered;
  distribution failed;
  std::uint64_t asked = 0;
  std::uint64_t passed = 0;

  template <class F>
  auto locked(F f) const {
    const std::lock_guard lock(mutex);
    return f();
  }
};

namespace {

std::uint64_t ns_since(steady_clock::time_point since) noexcept {
  const auto now = tact::detail::now();
  return now < since ? 0 : static_cast<std::uint64_t>(std::chrono::nanoseconds(now - since).count());
}

}  // namespace

timing::timing() : figures_(std::make_shared<figures>()) {}

distribution timing::answered() const {
  return figures_->locked([this] { return figures_->answered; });
}
distribution timing::failed() const {
  return figures_->locked([this] { return figures_->failed; });
}
std::uint64_t timing::open() const noexcept {
  return figures_->locked([this] { return figures_->asked - figures_->answered.count() - figures_->failed.count(); });
}
std::uint64_t timing::passed() const noexcept {
  return figures_->locked([this] { return figures_->passed; });
}

void timing::count_passed() const noexcept {
  figures_->locked([this] { ++figures_->passed; });
}
steady_clock::time_point timing::count_asked() const noexcept {
  figures_->locked([this] { ++figures_->asked; });
  return tact::detail::now();
}
void timing::count_answered(steady_clock::time_point since) const noexcept {
  const std::uint64_t ns = ns_since(since);
  figures_->locked([=, this] { figures_->answered.record(ns); });
}
void timing::count_failed(steady_clock::time_point since) const noexcept {
  const std::uint64_t ns = ns_since(since);
  figures_->locked([=, this] { figures_->failed.record(ns); });
}

std::ostream& operator<<(std::ostream& out, const timing& t) {
  const std::uint64_t passed = t.passed();
  return out << "answered: " << t.answered() << "; failed: " << t.failed()
             << "; " + std::to_string(t.open()) + " open, " + std::to_string(passed) +
                    (passed == 1 ? " message" : " messages");
}

}  // namespace tact::inspect
