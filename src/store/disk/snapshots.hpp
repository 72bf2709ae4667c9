// The snapshots of a file that is open: those for some reads at once, and those that are held.
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "store/disk/open_file.hpp"
#include "store/disk/read_gate.hpp"
#include "sync/policy.hpp"
#include "tact/store/detail/disk.hpp"

namespace tact::lmdb {

class snapshots;

// What a snapshot has beside its transaction while it is held. The lock is taken for each read, since another thread
// may end the snapshot.
struct held_mark {
  std::mutex mutex;
  bool is_ended = false;
  bool is_told = false;
  bool can_end = false;  // so what is found is copied out of the map
  std::string name{};
  int thread = 0;
  std::chrono::steady_clock::time_point since{};
  std::shared_ptr<detail::disk> keeps{};
  std::string value{};                                // the one that was found last, if it is copied
  std::list<detail::snapshot_state*>::iterator at{};  // in the list of those that are held
};

}  // namespace tact::lmdb

namespace tact::detail {

struct snapshot_state {
  lmdb::snapshots* home = nullptr;
  MDB_txn* txn = nullptr;
  unsigned stripe = 0;
  std::uint64_t version = 0;
  std::unique_ptr<lmdb::held_mark> held{};
};

}  // namespace tact::detail

namespace tact::lmdb {

using detail::snapshot_state;
using steady = std::chrono::steady_clock;

enum class map_change : unsigned char {
  done,
  blocked,  // snapshots were not given back in time
  failed,   // and the file has stopped
};

// Thread safety: any thread.
class snapshots {
 public:
  explicit snapshots(open_file& file) : file_(file) {}
  snapshots(const snapshots&) = delete;
  snapshots& operator=(const snapshots&) = delete;
  // REQUIRES: all were given back.
  ~snapshots() { forget_spare(); }

  [[nodiscard]] open_file& file() const noexcept { return file_; }

  // Throw store_error: stopped, damaged, refused.
  [[nodiscard]] std::unique_ptr<snapshot_state> take();
  enum class too_old : unsigned char { as_options_say, is_told };
  [[nodiscard]] std::unique_ptr<snapshot_state> hold(std::string name, std::shared_ptr<detail::disk> keeps,
                                                     too_old what = too_old::as_options_say);
  void give_back(std::unique_ptr<snapshot_state> s) noexcept;

  // Those that are held.
  [[nodiscard]] std::vector<detail::held_snapshot> held() const;
  // Tells those that are older than the options allow, and ends them if the options say so.
  void look_at_old();
  // LMDB's map gets this size; 0: that which another process has given to the file. Waits for the snapshots.
  // `why`: of what is not done.
  [[nodiscard]] map_change change_map(std::size_t bytes, std::string& why);
  void forget_spare() noexcept;

 private:
  struct alignas(64) spare_place {
    sync::atomic<snapshot_state*> one{nullptr};  // in no use, with a transaction that was reset
  };

  [[nodiscard]] static unsigned own_stripe() noexcept;
  [[nodiscard]] std::unique_ptr<snapshot_state> take_spare(unsigned stripe) noexcept;
  void put_spare(std::unique_ptr<snapshot_state> s) noexcept;
  [[nodiscard]] std::unique_ptr<snapshot_state> enter();
  [[nodiscard]] int begin(snapshot_state& s);
  void wait_open();
  [[nodiscard]] std::string block_names() const;
  [[nodiscard]] bool wait_for_held(steady::time_point until);
  [[nodiscard]] bool shut(steady::time_point until);
  void open_again();
  [[nodiscard]] steady::duration age_limit() const noexcept;  // 0: none
  [[nodiscard]] steady::duration patience() const noexcept;

  open_file& file_;
  read_gate<sync::real> gate_;
  std::array<spare_place, read_gate<sync::real>::stripe_count> spare_;

  std::mutex change_mutex_;          // held while the map changes
  mutable std::mutex mutex_;         // guards what follows
  std::condition_variable changed_;  // the gate was opened, or a snapshot that was held was given back
  std::list<snapshot_state*> held_;
};

}  // namespace tact::lmdb
