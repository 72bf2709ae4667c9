#include "sync/thread.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <exception>
#include <memory>
#include <system_error>
#include <utility>

#include "base/stack_guard.hpp"

namespace tact::sync {
namespace {

using function = std::function<void()>;

// The system takes 15 characters. A longer name loses characters in front of the number at its end, which stays.
std::string short_name(const std::string& name) {
  constexpr std::size_t size_max = 15;
  std::string text = "tact-" + name;
  if (text.size() > size_max)
    text.erase(std::min(text.rfind(' '), size_max) - (text.size() - size_max), text.size() - size_max);
  return text.substr(0, size_max);
}

extern "C" void* run_body(void* body) {
  const std::unique_ptr<function> owned(static_cast<function*>(body));
  (*owned)();
  return nullptr;
}

// Returns what pthread_create does.
int create(pthread_t& made, std::size_t guard_bytes, function& body) noexcept {
  pthread_attr_t how;
  int error = ::pthread_attr_init(&how);
  if (error != 0) return error;
  error = ::pthread_attr_setguardsize(&how, guard_bytes);
  if (error == 0) error = ::pthread_create(&made, &how, &run_body, &body);
  ::pthread_attr_destroy(&how);
  return error;
}

pthread_t create_guarded(function body) {
  auto owned = std::make_unique<function>(std::move(body));
  pthread_t made{};
  const bool is_wide = !base::are_addresses_limited();
  int error = create(made, is_wide ? base::wide_guard_bytes : base::usual_guard_bytes, *owned);
  if (error != 0) error = create(made, base::least_guard_bytes, *owned);
  if (error != 0) throw std::system_error(error, std::generic_category(), "no thread for an engine");
  static_cast<void>(owned.release());  // the thread has it now
  return made;
}

}  // namespace

thread::~thread() {
  if (is_real_) std::terminate();
}

void thread::start(const std::string& name, function body) {
  if (system* const s = system::current()) {
    number_ = s->start(name, std::move(body));
    in_ = s;
    return;
  }
  real_ = create_guarded(std::move(body));
  is_real_ = true;
  ::pthread_setname_np(real_, short_name(name).c_str());
}

void thread::join() noexcept {
  if (in_ != nullptr) {
    std::exchange(in_, nullptr)->join(number_);
  } else if (std::exchange(is_real_, false)) {
    ::pthread_join(real_, nullptr);
  }
}

}  // namespace tact::sync
