#include "sync/reports.hpp"

#include <pthread.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <mutex>
#include <new>

#include "sync/nonblocking_stderr.hpp"

namespace tact::sync {
namespace {

// Thread safety: any thread.
class reporter {
 public:
  // False: not all of it was taken. Of a line all is taken or nothing: what is missing of a begun one is kept.
  bool try_put(std::string_view text) noexcept {
    const std::lock_guard lock(mutex_);
    if (!finish_begun()) return false;
    do {
      // The notice and the lines go out in one write, so that the notice does not take the room that the lines need.
      const std::size_t notice = copy_notice();
      if (!put(notice + copy_lines(text, notice))) return false;
      untold_ = 0;
    } while (!text.empty() && finish_begun());
    return text.empty();
  }
  void lose_one() noexcept {
    const std::lock_guard lock(mutex_);
    ++untold_;
    ++lost_;
  }
  std::uint64_t count_lost() noexcept {
    const std::lock_guard lock(mutex_);
    return lost_;
  }
  void tell() noexcept {
    const std::lock_guard lock(mutex_);
    if (finish_begun() && untold_ != 0 && put(copy_notice())) untold_ = 0;
  }
  // In a child process, where the thread is gone that may have held the lock. What the parent has lost or begun, the
  // parent tells.
  void begin_anew() noexcept { ::new (this) reporter; }

 private:
  // The rest of what a terminal or a socket has taken in part.
  bool finish_begun() noexcept {
    if (begun_ == end_) return true;
    begun_ += write_to_stderr_now({lines_ + begun_, end_ - begun_});
    return begun_ == end_;
  }
  // Writes the first bytes of lines_. False: nothing was taken.
  bool put(std::size_t bytes) noexcept {
    begun_ = write_to_stderr_now({lines_, bytes});
    end_ = begun_ == 0 ? 0 : bytes;
    return begun_ != 0;
  }
  std::size_t copy(std::string_view bytes, std::size_t at) noexcept {
    std::copy(bytes.begin(), bytes.end(), lines_ + at);
    return bytes.size();
  }
  std::size_t copy_notice() noexcept {
    if (untold_ == 0) return 0;
    std::size_t size = copy("tact: ", 0);
    size = static_cast<std::size_t>(std::to_chars(lines_ + size, lines_ + sizeof lines_, untold_).ptr - lines_);
    return size + copy(untold_ == 1 ? " report was lost, because stderr took no more\n"
                                    : " reports were lost, because stderr took no more\n",
                       size);
  }
  // Takes as many whole lines out of the text as there is room for behind `at`. A line that would need more room than
  // there ever is is cut.
  std::size_t copy_lines(std::string_view& text, std::size_t at) noexcept {
    const std::size_t room = sizeof lines_ - at;
    const std::size_t end = text.size() <= room ? text.size() : text.rfind('\n', room - 1) + 1;  // 0: no line fits
    std::size_t taken = end;
    if (end != 0) {
      copy(text.substr(0, end), at);
    } else if (at == 0) {
      constexpr std::string_view gap = " ...\n";
      taken = std::min(text.find('\n'), text.size() - 1) + 1;
      copy(gap, copy(text.substr(0, room - gap.size()), 0));
    }
    text.remove_prefix(taken);
    return end == 0 && at == 0 ? room : end;
  }

  std::mutex mutex_;
  std::uint64_t lost_ = 0;
  std::uint64_t untold_ = 0;  // of those lost
  // What is written: from begun_ to end_ it has not been taken yet.
  char lines_[report_line_bytes_max]{};
  std::size_t begun_ = 0;
  std::size_t end_ = 0;
};

// Never destroyed: other static objects may end their engines later.
constinit reporter only;

// Tells at the end of the process, or of the plug-in in which this copy of the library is.
struct told_at_end {
  told_at_end() noexcept {
    ::pthread_atfork(nullptr, nullptr, [] { only.begin_anew(); });
  }
  ~told_at_end() { tell_lost_reports(); }
};
const told_at_end at_end;

}  // namespace

void report(std::string_view text) noexcept {
  if (!only.try_put(text)) only.lose_one();
}
bool try_report(std::string_view text) noexcept { return only.try_put(text); }
std::uint64_t count_lost_reports() noexcept { return only.count_lost(); }
void tell_lost_reports() noexcept { only.tell(); }

}  // namespace tact::sync
