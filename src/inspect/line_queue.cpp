#include "inspect/line_queue.hpp"

#include <pthread.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <new>
#include <system_error>
#include <utility>

namespace tact::inspect {

namespace {

using clock = std::chrono::steady_clock;

std::uint64_t lines_in(std::string_view text) noexcept {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

void append_notice(std::string& to, std::uint64_t lines) {
  if (lines == 0) return;
  char digits[24];
  to.append("tact: ").append(digits, std::to_chars(digits, digits + sizeof digits, lines).ptr);
  to.append(lines == 1 ? " line was lost, because the output took no more\n"
                       : " lines were lost, because the output took no more\n");
}

// Signals are for threads of the program; and a pipe whose reader is gone ends nothing.
class without_signals {
 public:
  without_signals() noexcept {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~without_signals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  without_signals(const without_signals&) = delete;
  without_signals& operator=(const without_signals&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

line_queue::line_queue(std::size_t bytes, std::unique_ptr<line_sink> to) : capacity_(bytes), to_(std::move(to)) {}
line_queue::~line_queue() = default;

// -- the threads that print

bool line_queue::has_thread() noexcept {
  if (thread_ != nullptr) return true;
  try {
    waiting_.reserve(capacity_ + notice_bytes_max);
    writing_.reserve(capacity_ + notice_bytes_max);
    notice_.reserve(notice_bytes_max);
    const without_signals quiet;
    thread_ = std::make_unique<std::thread>([this] { run(); });
    return true;
  } catch (const std::exception&) {
    return false;  // the system gives no thread, or no memory
  }
}

void line_queue::put(std::string_view line) noexcept {
  const std::lock_guard lock(mutex_);
  if (!leads_to_.empty()) return leads_to_.back()->put(line);
  // Once a line was lost the next ones are lost too, until there is room: so one notice stands where they would be.
  const std::size_t most = capacity_ / 4;
  const bool has_room = refused_ == 0 && waiting_.size() + std::min(line.size(), most) <= capacity_;
  if (is_shut_ || !has_thread()) {
    lost_ += lines_in(line);
    failed_ += lines_in(line);
    return;
  }
  if (!has_room) {
    lost_ += lines_in(line);
    refused_ += lines_in(line);
    return;
  }
  const std::size_t before = waiting_.size();
  if (line.size() <= most) {
    waiting_.append(line);
  } else {
    constexpr std::string_view gap = " ...\n";
    waiting_.append(line.substr(0, most - gap.size())).append(gap);
  }
  put_ += waiting_.size() - before;
  if (sleeps_ || (naps_ && waiting_.size() > capacity_ / 2)) wake();
}

void line_queue::wake() noexcept {
  sleeps_ = naps_ = false;
  to_write_.notify_one();
}

bool line_queue::flush(std::chrono::nanoseconds limit) {
  constexpr std::chrono::nanoseconds longest = std::chrono::hours(24 * 365);
  std::unique_lock lock(mutex_);
  const std::uint64_t target = put_;
  ++flushing_;
  wake();
  const bool is_over = is_written_.wait_until(
      lock, clock::now() + std::clamp(limit, std::chrono::nanoseconds(0), longest), [&] { return over_ >= target; });
  --flushing_;
  return is_over;
}

std::uint64_t line_queue::lost() const noexcept {
  const std::lock_guard lock(mutex_);
  return lost_;
}

bool line_queue::close(std::chrono::nanoseconds patience) noexcept {
  // relaxed: hint; a piece that is seen later only prolongs the patience.
  std::uint64_t taken = taken_.load(std::memory_order_relaxed);
  auto since = clock::now();
  bool is_over = false;
  while (!(is_over = flush(look_each))) {
    // relaxed: hint, as above.
    if (const std::uint64_t now = taken_.load(std::memory_order_relaxed); now != taken) {
      taken = now;
      since = clock::now();
    } else if (clock::now() - since > patience) {
      gives_up_.store(true);
      break;
    }
  }
  std::unique_lock lock(mutex_);
  ends_ = true;
  wake();
  if (thread_ != nullptr) {
    lock.unlock();
    thread_->join();  // it stays there until then, so no other one is begun beside it
    lock.lock();
    thread_ = nullptr;
  }
  ends_ = false;
  gives_up_.store(false);
  if (!waiting_.empty()) static_cast<void>(has_thread());  // put meanwhile
  return is_over;
}

void line_queue::shut() noexcept {
  const std::lock_guard lock(mutex_);
  is_shut_ = true;
}

void line_queue::lead_to(line_queue& other) {
  const std::lock_guard lock(mutex_);
  leads_to_.push_back(&other);
}

void line_queue::lead_no_more_to(line_queue& other) noexcept {
  const std::lock_guard lock(mutex_);
  const auto last = std::find(leads_to_.rbegin(), leads_to_.rend(), &other);
  leads_to_.erase(std::prev(last.base()));
}

void line_queue::begin_anew_in_child() noexcept {
  static_cast<void>(thread_.release());  // NOLINT: there is no such thread here that could be joined
  ::new (&to_write_) std::condition_variable;
  ::new (&is_written_) std::condition_variable;
  waiting_.clear();
  writing_.clear();
  notice_.clear();
  over_ = put_;
  lost_ = refused_ = failed_ = 0;
  is_begun_ = sleeps_ = naps_ = ends_ = false;
  flushing_ = 0;
}

// -- the thread that writes

void line_queue::run() noexcept {
  ::pthread_setname_np(::pthread_self(), "tact-lines");
  std::unique_lock lock(mutex_);
  for (;;) {
    while (waiting_.empty() && !ends_) {
      sleeps_ = true;
      to_write_.wait(lock);
    }
    sleeps_ = false;
    if (waiting_.empty()) return;
    const bool is_last = ends_;  // other threads may print without end
    write_waiting(lock);
    if (is_last) return;
    if (ends_ || flushing_ != 0) continue;
    naps_ = true;
    to_write_.wait_for(lock, nap, [this] { return !naps_; });
    naps_ = false;
  }
}

void line_queue::write_waiting(std::unique_lock<std::mutex>& lock) noexcept {
  std::swap(waiting_, writing_);
  const std::uint64_t bytes = writing_.size();
  const std::uint64_t failed = std::exchange(failed_, 0);
  const std::uint64_t refused = std::exchange(refused_, 0);
  if (is_begun_) notice_.push_back('\n');
  append_notice(notice_, failed);
  append_notice(writing_, refused);
  lock.unlock();
  const std::size_t front = write_all(notice_);
  const std::size_t taken = front == notice_.size() ? write_all(writing_) : 0;
  const std::uint64_t missing = lines_in(std::string_view(writing_).substr(taken));
  lock.lock();
  if (front != notice_.size()) failed_ += failed;
  if (taken != writing_.size()) {
    // The last line that is missing is the notice of those that were refused, if there were any.
    const std::uint64_t lost_now = missing - (refused == 0 ? 0 : 1);
    failed_ += lost_now + refused;
    lost_ += lost_now;
  }
  if (taken != 0) {
    is_begun_ = writing_[taken - 1] != '\n';
  } else if (front != 0) {
    is_begun_ = notice_[front - 1] != '\n';
  }
  over_ += bytes;
  notice_.clear();
  writing_.clear();
  is_written_.notify_all();
}

std::size_t line_queue::write_all(std::string_view text) noexcept {
  std::size_t at = 0;
  while (at != text.size()) {
    const line_sink::result r = to_->write(text.substr(at));
    at += r.taken;
    // relaxed: hint; see close.
    taken_.fetch_add(r.taken, std::memory_order_relaxed);
    if (at == text.size() || r.has_failed || gives_up_.load()) break;
    if (r.taken == 0) to_->wait(look_each);
  }
  return at;
}

}  // namespace tact::inspect
