// The actor that writes the file of a store: all that waits for it goes into one commit.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "store/actors/recent_writes.hpp"
#include "store/actors/watch_list.hpp"
#include "tact/actor.hpp"
#include "tact/store/detail/store_core.hpp"
#include "tact/timer.hpp"

namespace tact::detail {

// Behind all that waits now: the group ends here.
struct flush_group {};
struct ownership_over {
  owner_number owner = 0;
};

// A blocking actor, so that it has a thread of its own. A write is accepted when it comes: from then on later ones see
// it. All that are accepted until the mailbox has been gone through are one group, which is one commit of the file.
class store_writer : public actor<store_writer, writer_protocol, own_words<flush_group, ownership_over, watch_over>> {
 public:
  explicit store_writer(std::shared_ptr<store_front> front);
  // Writes what was accepted.
  ~store_writer();

  void receive(self<store_writer>& self, request<plain_write>& m);
  void receive(self<store_writer>& self, request<checked_write>& m);
  void receive(self<store_writer>& self, request<inner_write>& m);
  void receive(self<store_writer>& self, request<begin_chain>& m);
  void receive(self<store_writer>& self, const request<own_store>& m);
  void receive(self<store_writer>& self, const disown_store& m);
  void receive(self<store_writer>& self, request<watch_changes>& m);
  void receive(self<store_writer>& self, const request<close_store>& m);
  void receive(self<store_writer>& self, flush_group);
  void receive(self<store_writer>& self, ownership_over m);
  void receive(self<store_writer>& self, watch_over m);

 private:
  using any_write =
      std::variant<request<plain_write>, request<checked_write>, request<inner_write>, request<begin_chain>>;
  // A write of the group, whose customer is told when the group is in the file.
  struct accepted_write {
    ref<write_answer> customer;
    write_answer::fate what;  // done: if the file takes the group
    std::size_t changes;      // how many of those of the group are its own, behind those of the writes before it
    bool has_seen_group;      // it may have read what the writes before it change
    bool is_answered;         // no later write of its chain is in the group
    std::uint64_t chain;
    std::uint64_t number;
    std::string why{};  // it was refused
  };
  // The last write of a chain: in which group, and where there.
  struct chain_place {
    std::uint64_t group = 0;
    std::size_t write = 0;
  };

  template <class Q>
  void take(self<store_writer>& self, request<Q>& m);
  // What becomes of a write, for now. It has been added to the group if that is `done`.
  template <class Q>
  [[nodiscard]] write_answer accept_if_well(Q& q);
  [[nodiscard]] write_answer accept(plain_write& m);
  [[nodiscard]] write_answer accept(checked_write& m);
  [[nodiscard]] write_answer accept(inner_write& m);
  [[nodiscard]] write_answer accept(begin_chain& m);
  void add(std::vector<byte_change> changes, bool may_be_read = true);
  [[nodiscard]] const change_table& accepted();

  [[nodiscard]] bool has_stopped() const noexcept {
    return trouble_.what == commit_result::fate::unknown || trouble_.what == commit_result::fate::stopped;
  }
  void end_group(self<store_writer>& self);
  void forget_group() noexcept;
  void note_last_of(std::uint64_t chain) noexcept;
  void commit_group(self<store_writer>* self);
  void commit_one_by_one(self<store_writer>* self);
  void answer(self<store_writer>* self, const accepted_write& w, const commit_result& result) const;
  void tell_durable(self<store_writer>* self, std::span<const byte_change* const> changes);
  void end_ownership(self<store_writer>& self);

  std::shared_ptr<store_front> front_;
  tact::store::recent_writes recent_{};
  write_order order_ = 0;  // of the last write that was accepted

  // The group that is not in the file yet.
  std::vector<byte_change> changes_{};
  std::vector<accepted_write> writes_{};
  change_table accepted_{};  // the first `in_table_` of the changes, as a table
  std::size_t in_table_ = 0;
  std::uint64_t group_ = 1;       // its number
  std::size_t early_writes_ = 0;  // so many of the writes were answered
  enum class group_end : unsigned char { open, in_time, now } ends_ = group_end::open;  // the order that is under way
  timer groups_time_{};
  write_order version_order_ = 0;  // of the last write that is in the file
  std::uint64_t version_;          // of the file
  commit_result trouble_{};  // not durable: why the writer takes nothing more, or not before the group is in the file

  owner_number owner_ = 0;  // has the store for itself
  owner_number last_owner_ = 0;
  timer owners_time_{};
  std::deque<any_write> behind_owner_{};  // writes of others meanwhile

  // The chains that go on: those of which no write was refused, the last one of each name.
  std::unordered_map<std::string, std::uint64_t> chain_of_{};
  std::unordered_map<std::uint64_t, chain_place> chains_{};
  std::uint64_t last_chain_ = 0;

  tact::store::watch_list watches_{};
};

}  // namespace tact::detail
