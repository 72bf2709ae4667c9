#include "tact/store/detail/store_core.hpp"

#include <filesystem>
#include <mutex>
#include <vector>

#include "store/actors/store_writer.hpp"
#include "tact/store/detail/store_access.hpp"

namespace tact::detail {

namespace {

[[nodiscard]] store_problem problem_of(write_answer::fate f) noexcept {
  switch (f) {
    case write_answer::fate::unknown:
      return store_problem::unknown;
    case write_answer::fate::stopped:
      return store_problem::stopped;
    case write_answer::fate::done:
    case write_answer::fate::again:
    case write_answer::fate::threw:
    case write_answer::fate::refused:
      return store_problem::refused;
  }
  return store_problem::refused;
}

// The files whose last handle has gone, and whose writers may still write. To open one of them again one waits for
// that.
class closing_files {
 public:
  static void add(const std::shared_ptr<store_front>& front) {
    const std::lock_guard lock(guard());
    std::erase_if(all(), [](const auto& f) { return f.expired(); });
    all().push_back(front);
  }
  static void wait(const std::filesystem::path& path) {
    std::vector<std::shared_ptr<store_front>> same;
    {
      const std::lock_guard lock(guard());
      for (const auto& f : all()) {
        const auto front = f.lock();
        std::error_code none;
        if (front != nullptr && std::filesystem::equivalent(front->path(), path, none)) same.push_back(front);
      }
    }
    for (const auto& front : same) front->close_behind_writer();
  }

 private:
  static std::mutex& guard() {
    static auto* const m = new std::mutex;  // for threads that go on when the program ends
    return *m;
  }
  static std::vector<std::weak_ptr<store_front>>& all() {
    static auto* const files = new std::vector<std::weak_ptr<store_front>>;
    return *files;
  }
};

}  // namespace

store_front::store_front(std::shared_ptr<disk> file) : file_(std::move(file)), path_(file_->path()), shapes_(*file_) {
  ahead_.version = file_->read().version();
}

byte_reading store_front::look() {
  return reading([&] { return file_->read(); });
}

byte_reading store_front::hold(const std::string& name) {
  return reading([&] { return file_->hold(name); });
}

void store_front::publish(std::uint64_t version, write_order in_file, write_order order, change_table accepted) {
  ahead next{version, in_file, order, std::move(accepted)};
  const std::lock_guard lock(guard_);
  std::swap(ahead_, next);
}

void store_front::tell_closed() {
  const std::lock_guard lock(guard_);
  is_closed_ = true;
  closed_.notify_all();
}

void store_front::close_behind_writer() {
  std::unique_lock lock(guard_);
  closed_.wait(lock, [&] { return is_closed_; });
  file_.reset();
}

store_core::store_core(engine& in, const std::filesystem::path& path, const store_options& options) : in_(&in) {
  closing_files::wait(path);
  front_ = std::make_shared<store_front>(disk::open(path, options));
  if (!options.read_only) writer_ = in.spawn<store_writer>(blocking, failure_rule(failure_policy::go_on), front_);
}

// The writer is not waited for: this may be the thread that is to end it.
store_core::~store_core() {
  if (!writer_) return;
  const unfailing sure;
  try {
    closing_files::add(front_);
    send_anywhere(writer_, poison_pill{});
  } catch (...) {
    // The writer ends with its engine.
  }
}

std::string failure_text(store_core& core, const write_answer& a) {
  std::string text = "tact: the store '" + core.front().file().path().string() + "': ";
  text += to_string(problem_of(a.what));
  if (!a.why.empty()) text += ": " + a.why;
  return text;
}

void look_at(store_core& core, const write_answer& a) {
  using fate = write_answer::fate;
  if (a.what == fate::done || a.what == fate::again) return;
  if (a.what == fate::threw) std::rethrow_exception(a.thrown);
  throw store_error(problem_of(a.what), failure_text(core, a));
}

std::vector<byte_change> listed(const change_table& changes) {
  std::vector<byte_change> all;
  all.reserve(changes.size());
  for (const auto& [k, v] : changes) all.push_back({k.table, k.key, v});
  return all;
}

}  // namespace tact::detail
