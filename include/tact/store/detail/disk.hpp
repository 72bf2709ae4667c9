// The file of a store, in bytes: what the typed stores and their actors are built on.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tact/store/store_error.hpp"
#include "tact/store/store_options.hpp"

namespace tact::detail {

class disk;
struct disk_state;
struct snapshot_state;
struct cursor_state;

// Names a table of a file as long as the file is open.
using table_number = unsigned;

// The longest key that a table takes.
inline constexpr std::size_t key_bytes_max = 511;

// One version of the whole file: what its last commit has left, as it was when the snapshot was taken. Thread safety:
// one thread at a time. All calls throw store_error: damaged, stopped, snapshot_ended.
class [[gnu::visibility("default")]] byte_snapshot {
 public:
  byte_snapshot() noexcept;  // of no file
  byte_snapshot(byte_snapshot&&) noexcept;
  byte_snapshot& operator=(byte_snapshot&&) noexcept;
  ~byte_snapshot();

  // Counts the commits of the file.
  [[nodiscard]] std::uint64_t version() const noexcept;
  // The value, which stays valid as long as the snapshot does; but where old snapshots are ended (see store_options),
  // that of a snapshot which is held stays valid until its next call only.
  [[nodiscard]] std::optional<std::string_view> find(table_number table, std::string_view key) const;
  [[nodiscard]] std::size_t size(table_number table) const;

 private:
  friend class disk;
  friend class byte_cursor;
  explicit byte_snapshot(std::unique_ptr<snapshot_state> state) noexcept;

  std::unique_ptr<snapshot_state> state_;
};

// Goes through a table in the order of its keys, which is that of memcmp. It ends before its snapshot does. Each call
// that moves it says whether it is at an entry now.
class [[gnu::visibility("default")]] byte_cursor {
 public:
  byte_cursor(const byte_snapshot& in, table_number table);
  byte_cursor(byte_cursor&&) noexcept;
  byte_cursor& operator=(byte_cursor&&) noexcept;
  ~byte_cursor();

  bool first();
  bool last();
  // To the first entry whose key is not less.
  bool at_least(std::string_view key);
  bool next();
  bool previous();
  // The entry at which it is. Valid as long as the snapshot is; where old snapshots are ended, of a snapshot which is
  // held, until the cursor moves.
  [[nodiscard]] std::string_view key() const;
  [[nodiscard]] std::string_view value() const;

 private:
  std::unique_ptr<cursor_state> state_;
};

// A key that gets a value, or loses it.
struct byte_change {
  table_number table = 0;
  std::string key{};
  std::optional<std::string> value{};  // none: the entry goes
};

// What became of a group of changes. All of them have the same fate.
struct commit_result {
  enum class fate : unsigned char {
    durable,  // they are on the disk
    refused,  // none of them was done, and the store goes on
    unknown,  // the disk has failed, and the store has stopped; they may be there when the file is opened again
    stopped,  // none of them was done, because the store has stopped, before or now
  };
  fate what = fate::durable;
  std::uint64_t version = 0;  // which the file has now; that of before if nothing has changed
  std::string why{};          // of a fate that is not durable: names the file, the failure, and what can be done
  std::vector<const byte_change*> done{};  // of the changes those that have changed something
};

// A snapshot that is held.
struct held_snapshot {
  std::string name{};
  int thread = 0;  // the system's number of the thread that has asked for it
  std::chrono::nanoseconds age{};
  std::uint64_t version = 0;
};

// A file that is open. Thread safety: any number of threads at once, but for commit and what says so.
class [[gnu::visibility("default")]] disk : public std::enable_shared_from_this<disk> {
 public:
  // Opens the file, or makes it. Throws store_error: not_opened, in_use, damaged.
  [[nodiscard]] static std::shared_ptr<disk> open(const std::filesystem::path& path, const store_options& options);
  disk(const disk&) = delete;
  disk& operator=(const disk&) = delete;
  ~disk();

  [[nodiscard]] const std::filesystem::path& path() const noexcept;
  [[nodiscard]] const store_options& options() const noexcept;

  // The table of this name; makes it if the file is open for writing. A snapshot that was taken before the table was
  // made finds nothing there. Throws store_error: not_opened, stopped, unknown.
  [[nodiscard]] table_number table(std::string_view name);

  // The last version, for some reads at once: its thread keeps it for microseconds, and calls neither commit nor table
  // meanwhile. It ends before the file is closed. Throws store_error: stopped, damaged; refused, if readers_max are
  // there.
  [[nodiscard]] byte_snapshot read();
  // The last version, to be held. Its name is told if it is held for too long. It keeps the file open. Throws as read.
  [[nodiscard]] byte_snapshot hold(std::string name);
  // Those that are held in this process, the oldest first.
  [[nodiscard]] std::vector<held_snapshot> held() const;
  // The names of the tables in the file. Throws as read.
  [[nodiscard]] std::vector<std::string> tables();
  // Makes a copy of the last version, which is on the disk and has its name when this returns; a file of that name is
  // replaced. Others read and write meanwhile. Throws store_error: not_opened, in_use, stopped.
  void back_up(const std::filesystem::path& to);
  // Tells the snapshots that are held for too long, and ends them if the options say so. commit and hold do it too.
  void look_at_held();

  // Writes the changes, the later ones over the earlier ones, and returns when they are durable. A group that changes
  // nothing is no version, and needs no disk. One thread at a time. Throws std::bad_alloc only, and then nothing was
  // done.
  [[nodiscard]] commit_result commit(std::span<const byte_change> changes);

 private:
  explicit disk(std::unique_ptr<disk_state> state) noexcept;

  std::unique_ptr<disk_state> state_;
};

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
