// tact-store: looks at store files, and copies them, from the command line.
#include <fcntl.h>

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/disk/examination.hpp"
#include "store/disk/file_claim.hpp"
#include "store/disk/file_copy.hpp"
#include "store/disk/open_file.hpp"
#include "tact/store/detail/disk.hpp"

namespace {

using namespace tact;
namespace fs = std::filesystem;

constexpr std::string_view help =
    R"(tact-store looks at the files in which stores of tact keep their state, and copies them.

  tact-store check FILE            reads every entry, and lists what is damaged; changes nothing
  tact-store dump FILE [TABLE]     prints every entry: a line for the key, and the value behind it
  tact-store backup FILE TO        copies the last version, while a program may be using the file
  tact-store restore BACKUP FILE   puts a backup in the place of FILE, which no program uses
  tact-store compact FILE          writes FILE anew without its free pages, while no program uses it
  tact-store readers FILE          lists the snapshots that all processes have at this moment
  tact-store --help                prints this

What is not readable text is printed in hexadecimal digits, as 0x6b6579.
Long work says once a second, on the standard error, how far it is.
It ends with 0; 1 if the file is damaged; 2 if it was called wrongly; 3 if it could not do its work.
)";

enum exit_code : int { done = 0, damaged = 1, called_wrongly = 2, not_done = 3 };

void say(const std::string& text) { std::cerr << "tact-store: " << text << '\n'; }

lmdb::copy_progress tell_bytes() {
  constexpr std::uint64_t mebibyte = 1u << 20;
  return [](std::uint64_t bytes) { say(std::to_string(bytes / mebibyte) + " MiB are copied"); };
}

bool is_written_elsewhere(const fs::path& file) {
  lmdb::descriptor fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) lmdb::throw_failure(file, "open the file", errno);
  return lmdb::file_claim(file, std::move(fd), lmdb::file_claim::use::read).has_writer_elsewhere();
}

int check(const fs::path& file) {
  const bool in_use = is_written_elsewhere(file);
  const lmdb::findings found = lmdb::examine_apart(
      file, in_use ? lmdb::depth::all_in_use : lmdb::depth::all, [](std::string_view table, std::uint64_t entries) {
        say(std::to_string(entries) + " entries are read, the last of table " + lmdb::printable(table));
      });
  for (const std::string& problem : found.problems) std::cout << file.string() << ": " << problem << '\n';
  if (!found.problems.empty()) {
    say(file.string() +
        " is damaged. `tact-store restore BACKUP FILE` brings a backup back; `tact-store dump FILE` prints "
        "what can be read");
    return damaged;
  }
  std::cout << file.string() << ": whole; " << found.tables << " tables, " << found.entries << " entries, version "
            << found.version
            << (in_use             ? "; a process has it open for writing"
                : found.was_closed ? ""
                                   : "; it was not closed in order")
            << '\n';
  return done;
}

void dump_table(detail::disk& from, const std::string& name) {
  const detail::table_number table = from.table(name);
  const detail::byte_snapshot now = from.hold("tact-store dump");
  std::cout << "table " << lmdb::printable(name) << ": " << now.size(table) << " entries\n";
  detail::byte_cursor at(now, table);
  for (bool more = at.first(); more && std::cout; more = at.next()) {
    std::cout << lmdb::printable(at.key()) << ' ' << lmdb::printable(at.value()) << '\n';
  }
}

int dump(const fs::path& file, const std::vector<std::string>& wanted) {
  store_options options;
  options.read_only = true;
  options.tables_max = 4096;
  options.snapshot_limit = std::chrono::milliseconds(0);
  const auto from = detail::disk::open(file, options);
  for (const std::string& name : wanted.empty() ? from->tables() : wanted) dump_table(*from, name);
  return std::cout.flush() ? done : not_done;
}

int list_readers(const fs::path& file) {
  lmdb::descriptor fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) lmdb::throw_failure(file, "open the file", errno);
  const lmdb::file_claim claim(file, std::move(fd), lmdb::file_claim::use::read);
  const lmdb::environment env(file, {.map_bytes = 0, .readers = 126, .tables = 0, .read_only = true});
  int cleared = 0;
  mdb_reader_check(env.get(), &cleared);
  if (cleared > 0) std::cout << cleared << " snapshots of processes that were killed are removed\n";
  std::cout << "process, thread that began it, transaction (a higher one is younger; -: in no use now):\n";
  const int code = mdb_reader_list(
      env.get(), [](const char* line, void*) { return std::fputs(line, stdout) < 0 ? -1 : 0; }, nullptr);
  return code < 0 ? not_done : done;
}

struct command {
  std::string_view name;
  std::size_t least, most;  // arguments
  int (*run)(const std::vector<std::string>& arguments);
};

constexpr command commands[] = {
    {"check", 1, 1, [](const std::vector<std::string>& a) { return check(a[0]); }},
    {"dump", 1, 2,
     [](const std::vector<std::string>& a) {
       return dump(a[0], {a.begin() + 1, a.end()});
     }},
    {"backup", 2, 2,
     [](const std::vector<std::string>& a) -> int {
       lmdb::back_up_file(fs::absolute(a[0]), fs::absolute(a[1]), tell_bytes());
       return done;
     }},
    {"restore", 2, 2,
     [](const std::vector<std::string>& a) -> int {
       lmdb::restore_file(fs::absolute(a[0]), fs::absolute(a[1]), tell_bytes());
       return done;
     }},
    {"compact", 1, 1,
     [](const std::vector<std::string>& a) -> int {
       lmdb::compact_file(fs::absolute(a[0]), tell_bytes());
       return done;
     }},
    {"readers", 1, 1, [](const std::vector<std::string>& a) { return list_readers(a[0]); }},
};

int run(const command& c, const std::vector<std::string>& arguments) {
  if (arguments.size() < c.least || arguments.size() > c.most) {
    say(std::string(c.name) + " takes " + std::to_string(c.least) + (c.most > c.least ? " or more" : "") +
        " arguments, and has got " + std::to_string(arguments.size()) + "; see tact-store --help");
    return called_wrongly;
  }
  try {
    return c.run(arguments);
  } catch (const store_error& e) {
    say(e.what());
    return e.problem() == store_problem::damaged ? damaged : not_done;
  } catch (const std::exception& e) {
    say(e.what());
    return not_done;
  }
}

}  // namespace

int main(int count, char** values) {
  const std::vector<std::string> all(values + (count > 0 ? 1 : 0), values + count);
  if (!all.empty() && (all[0] == "--help" || all[0] == "-h")) {
    std::cout << help;
    return done;
  }
  if (all.empty()) {
    std::cerr << help;
    return called_wrongly;
  }
  for (const command& c : commands) {
    if (c.name == all[0]) return run(c, {all.begin() + 1, all.end()});
  }
  say("there is no command " + all[0] + "; see tact-store --help");
  return called_wrongly;
}
