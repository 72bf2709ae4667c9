#include "model/history.hpp"

#include <atomic>

#include "actors/failure/dead_letters.hpp"
#include "sync/system.hpp"

namespace tact::model {

namespace {

// Which recorder this thread's log is of: a thread outlives many.
struct seat {
  std::uint64_t recorder = 0;
  log* pages = nullptr;
};
thread_local seat here;

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

template <class To, class From>
void append(To& to, const From& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

std::string address_in(const std::string& description) {
  const auto at = description.find('@');
  if (at == std::string::npos) return {};
  const auto end = description.find_first_of(" )", at);  // "answer@7 to request<load>", "teller (account@7)"
  return description.substr(at, end == std::string::npos ? end : end - at);
}

std::string text_of_address(std::uint64_t port) { return address_in(actors::describe(port)); }

recorder::recorder() : serial_(next_serial()) {}

// Of the calling thread; null until its log is opened.
log*& recorder::seat() {
  if (const sync::system* const s = sync::system::current()) return of_simulated_[s->this_thread()];
  if (here.recorder != serial_) here = {serial_, nullptr};
  return here.pages;
}

log& recorder::open(unsigned number) {
  logs_.emplace_back().number = number;
  return *(seat() = &logs_.back());
}

log& recorder::mine() {
  if (log* const opened = seat()) return *opened;
  const std::lock_guard lock(mutex_);
  return open(next_++);
}

void recorder::call_this_thread(unsigned number) {
  const std::lock_guard lock(mutex_);
  open(number);
}

history recorder::collect() const {
  history h;
  for (const log& l : logs_) {
    append(h.all.runs, l.runs);
    append(h.all.committed, l.committed);
    append(h.all.refused, l.refused);
    append(h.all.answers, l.answers);
    append(h.all.survivors, l.survivors);
    append(h.all.dead, l.dead);
    append(h.all.reports, l.reports);
    append(h.all.addresses, l.addresses);
    append(h.all.parcels_made, l.parcels_made);
    append(h.all.parcels_gone, l.parcels_gone);
  }
  return h;
}

}  // namespace tact::model
