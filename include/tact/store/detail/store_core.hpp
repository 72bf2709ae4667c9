// What the handles of a store's file share, and the messages of the actor that writes it.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tact/engine.hpp"
#include "tact/poison_pill.hpp"
#include "tact/protocol.hpp"
#include "tact/request.hpp"
#include "tact/store/detail/byte_view.hpp"
#include "tact/store/detail/disk.hpp"
#include "tact/store/detail/shape_shelf.hpp"

namespace tact::detail {

// Counts the writes that were accepted since the file was opened, in their order. A snapshot has all up to its order.
using write_order = std::uint64_t;
// Names the one that has a store for itself; 0: no one.
using owner_number = std::uint64_t;

struct write_answer {
  enum class fate : unsigned char {
    done,     // durable, or to be within store_options::durable_within
    again,    // what the transaction has read is something else now
    threw,    // the function of the transaction did
    refused,  // not done; the store goes on
    unknown,  // the store has stopped; it may be done or not
    stopped,  // not done; the store had stopped before
  };
  fate what = fate::done;
  std::uint64_t version = 0;
  std::string why{};
  std::exception_ptr thrown{};
  std::uint64_t chain = 0;   // that of the plain_write, or the one that was begun
  std::uint64_t number = 0;  // that of the plain_write
};

// Writes of a chain are done in their order, each only if all before it were done.
struct plain_write {
  using reply = write_answer;
  std::vector<byte_change> changes{};
  owner_number owner = 0;
  std::uint64_t chain = 0;  // 0: of none
  std::uint64_t number = 0;
};
// Begins a chain, and ends the one that had this name. When it is answered, what was written of that one is in the
// file, and nothing more of it will be.
struct begin_chain {
  using reply = write_answer;
  std::string name{};
  owner_number owner = 0;
};
// A write that is refused if what its transaction has looked at was written after `base`.
struct checked_write {
  using reply = write_answer;
  write_order base = 0;
  std::vector<read_range> reads{};
  std::vector<byte_change> changes{};
  owner_number owner = 0;
};
// A transaction that runs in the writer, where nothing can come before it.
struct inner_write {
  using reply = write_answer;
  std::function<void(byte_view&)> body{};
  owner_number owner = 0;
};
// Asks to have the store for itself; the answer is the number of the owner, or 0 if there is another one. Its present
// owner gets more time.
struct own_store {
  using reply = owner_number;
  std::chrono::nanoseconds limit{0};
  owner_number owner = 0;
};
struct disown_store {
  owner_number owner = 0;
};
// The one that is told of changes has ended.
struct watch_over {
  std::uint64_t number = 0;
};
// Tells each change of the keys from `from` to before `to`, when it is durable.
struct watch_changes {
  using reply = void;
  table_number table = 0;
  std::string from{};
  std::optional<std::string> to{};
  std::function<void(transaction&, const byte_change&, std::uint64_t version)> tell{};
  // Makes an actor hear of the end of the one that is told, at which the watch ends.
  std::function<void(transaction&, watch_over, ref<watch_over>)> guard{};
};
// Writes all that was accepted, and ends the writer.
struct close_store {
  using reply = write_answer;
};

struct writer_protocol
    : protocol<request<plain_write>, request<checked_write>, request<inner_write>, request<begin_chain>,
               request<own_store>, disown_store, request<watch_changes>, request<close_store>, poison_pill> {};

// What readers see: the file, and what was accepted for it and is not in it yet. Thread safety: any number of threads.
class [[gnu::visibility("default")]] store_front {
 public:
  explicit store_front(std::shared_ptr<disk> file);

  [[nodiscard]] disk& file() noexcept { return *file_; }
  [[nodiscard]] shape_shelf& shapes() noexcept { return shapes_; }
  // Writes are answered before they are in the file.
  [[nodiscard]] bool answers_early() const noexcept { return file_->options().durable_within.count() > 0; }

  // The state at this moment; for reads at once, or to be held.
  [[nodiscard]] byte_reading look();
  [[nodiscard]] byte_reading hold(const std::string& name);

  // The state of a snapshot that `take` takes, and of what was accepted since. The snapshot is taken first. If the
  // file was written between the two, what was accepted before is gone from the second, and the snapshot has not got it
  // either: then both are taken anew. The other way round there is no gap: while the writer is about to publish what it
  // has written, a newer snapshot has the same changes twice. docs/protocols/store_front.md
  template <class Take>
  [[nodiscard]] byte_reading reading(Take take) {
    for (;;) {
      byte_snapshot in_file = take();
      const std::lock_guard lock(guard_);
      if (ahead_.version > in_file.version()) continue;
      // In a file without early answers a snapshot that is newer has more than this order says, which harms nothing.
      const write_order order = answers_early() ? ahead_.order : ahead_.in_file;
      return {std::move(in_file), answers_early() ? ahead_.accepted : change_table{}, order};
    }
  }

  // For the writer: what was accepted up to `in_file` is in the file since `version`, and `accepted` is all that was
  // accepted since, up to `order`.
  void publish(std::uint64_t version, write_order in_file, write_order order, change_table accepted);
  // The last call of the writer.
  void tell_closed();
  // For a file of which nothing is left but its writer: waits for that, and closes the file.
  void close_behind_writer();
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  struct ahead {
    std::uint64_t version = 0;
    write_order in_file = 0;
    write_order order = 0;
    change_table accepted{};
  };

  std::shared_ptr<disk> file_;
  const std::filesystem::path path_;
  shape_shelf shapes_;
  std::mutex guard_{};
  ahead ahead_{};           // under guard_
  bool is_closed_ = false;  // under guard_
  std::condition_variable closed_{};
};

// What the handles of a file share. With the last of them the file is closed, as soon as its writer has ended.
class [[gnu::visibility("default")]] store_core {
 public:
  // Throws store_error as disk::open does.
  store_core(engine& in, const std::filesystem::path& path, const store_options& options);
  store_core(const store_core&) = delete;
  store_core& operator=(const store_core&) = delete;
  // The writer ends behind what was accepted.
  ~store_core();

  [[nodiscard]] store_front& front() noexcept { return *front_; }
  [[nodiscard]] engine& in() noexcept { return *in_; }
  // That of no actor if the file is read only.
  [[nodiscard]] ref<writer_protocol> writer() const noexcept { return writer_; }

 private:
  engine* in_;
  std::shared_ptr<store_front> front_;
  ref<writer_protocol> writer_{};
};

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
