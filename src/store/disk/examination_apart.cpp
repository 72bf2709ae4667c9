// examine_apart: the child process, and what it tells by a pipe.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>

#include "store/disk/environment.hpp"
#include "store/disk/examination.hpp"
#include "store/disk/file_claim.hpp"
#include "store/disk/meta_pages.hpp"

namespace tact::lmdb {

namespace {

// What a line that the child writes is about: its first byte.
constexpr char line_progress = 'p';
constexpr char line_problem = 'x';
constexpr char line_not_opened = 'n';
constexpr char line_counts = 'c';
constexpr int end_in_order = 0;

void write_line(int fd, char kind, std::string_view text) {
  std::string line(1, kind);
  // A problem is one line; its names are printable.
  for (const char c : text) line += c == '\n' ? ' ' : c;
  line += '\n';
  for (std::string_view left = line; !left.empty();) {
    const ssize_t n = ::write(fd, left.data(), left.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) ::_exit(1);  // there is no reader any more
    left.remove_prefix(static_cast<std::size_t>(n));
  }
}

// The child has the handlers, the descriptors and the standard error of a program that knows nothing of it.
int make_quiet(int pipe_fd) {
  for (const int s : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTERM, SIGPIPE}) ::signal(s, SIG_DFL);
  ::sigset_t none;
  ::sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
  const ::rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  constexpr int kept = 3;
  if (pipe_fd != kept) ::dup2(pipe_fd, kept);
  ::close_range(kept + 1, ~0u, 0);
  const int null = ::open("/dev/null", O_RDWR);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(null, fd);
  return kept;
}

std::string counts_text(const findings& f) {
  return std::to_string(f.tables) + ' ' + std::to_string(f.entries) + ' ' + std::to_string(f.version) + ' ' +
         (f.was_closed ? '1' : '0') + ' ' + (f.is_all_looked_at ? '1' : '0');
}

[[noreturn]] void be_child(const std::filesystem::path& file, depth how, int pipe_fd) {
  const int fd = make_quiet(pipe_fd);
  try {
    const findings f = examine(file, how, [fd](std::string_view table, std::uint64_t entries) {
      write_line(fd, line_progress, std::to_string(entries) + ' ' + std::string(table));
    });
    for (const std::string& problem : f.problems) write_line(fd, line_problem, problem);
    write_line(fd, line_counts, counts_text(f));
  } catch (const store_error& e) {
    write_line(fd, e.problem() == store_problem::damaged ? line_problem : line_not_opened, e.what());
  } catch (const std::exception& e) {
    write_line(fd, line_not_opened, e.what());
  }
  ::_exit(end_in_order);
}

std::uint64_t take_number(std::string_view& text) {
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  text.remove_prefix(std::min(text.size(), static_cast<std::size_t>(end - text.data()) + 1));
  return n;
}

// What the parent has understood so far.
struct told {
  findings found{};
  std::string not_opened{};
  bool is_over = false;

  void take_line(std::string_view line, const progress& tell) {
    const char kind = line.front();
    line.remove_prefix(1);
    if (kind == line_progress) {
      const std::uint64_t entries = take_number(line);
      if (tell) tell(line, entries);
    } else if (kind == line_problem) {
      found.problems.emplace_back(line);
      is_over = true;
    } else if (kind == line_not_opened) {
      not_opened = line;
      is_over = true;
    } else if (kind == line_counts) {
      take_counts(line);
    }
  }
  void take_counts(std::string_view line) {
    found.tables = take_number(line);
    found.entries = take_number(line);
    found.version = take_number(line);
    found.was_closed = take_number(line) != 0;
    found.is_all_looked_at = take_number(line) != 0;
    is_over = true;
  }
};

void read_lines(int fd, told& all, const progress& tell) {
  std::string waiting;
  char bytes[4096];
  for (;;) {
    const ssize_t n = ::read(fd, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    waiting.append(bytes, static_cast<std::size_t>(n));
    std::size_t end = 0;
    while ((end = waiting.find('\n')) != std::string::npos) {
      if (end != 0) all.take_line(std::string_view(waiting).substr(0, end), tell);
      waiting.erase(0, end + 1);
    }
  }
}

// How the child has ended, if that can be learned: the program may take the ends of all its children itself.
std::string end_of(pid_t child) {
  int status = 0;
  pid_t ended = 0;
  do ended = ::waitpid(child, &status, 0);
  while (ended < 0 && errno == EINTR);
  if (ended != child || !WIFSIGNALED(status)) return {};
  return std::string(" (") + ::strsignal(WTERMSIG(status)) + ")";
}

struct child_process {
  pid_t id = -1;
  descriptor reads{};
};

child_process begin_child(const std::filesystem::path& file, depth how) {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) throw_failure(file, "look at the file in a child process", errno);
  descriptor reads(ends[0]), writes(ends[1]);
  const pid_t id = ::fork();
  if (id < 0) throw_failure(file, "look at the file in a child process", errno);
  if (id == 0) be_child(file, how, writes.get());
  return {id, std::move(reads)};
}

depth needed(const std::filesystem::path& file, depth how, findings& found) {
  if (how == depth::header_in_use || how == depth::all_in_use) return how;  // the first pages may change at this moment
  const descriptor fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) throw_failure(file, "open the file", errno);
  const meta_view seen = look_at_meta_pages(fd.get());
  if (!seen.damage.empty()) found.problems.push_back(seen.damage);
  return seen.is_short ? depth::all : how;
}

}  // namespace

findings examine_apart(const std::filesystem::path& file, depth how, const progress& tell) {
  told all;
  how = needed(file, how, all.found);
  if (!all.found.problems.empty()) return all.found;
  child_process child = begin_child(file, how);
  read_lines(child.reads.get(), all, tell);
  const std::string end = end_of(child.id);
  if (!all.not_opened.empty()) throw store_error(store_problem::not_opened, all.not_opened);
  if (!all.is_over || !end.empty())
    all.found.problems.push_back("LMDB cannot read it: the process that tried was ended" + end);
  return all.found;
}

}  // namespace tact::lmdb
