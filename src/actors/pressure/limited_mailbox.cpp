#include "actors/pressure/limited_mailbox.hpp"

#include <array>
#include <memory>
#include <utility>

namespace tact::actors {

namespace {

// A row for each cell of a slab. Null: no actor of this cell has had a limit.
struct rows_of_slab final : mailbox_table {
  std::array<sync::atomic<limited_mailbox*>, cell_region::slab_cells> rows{};

  ~rows_of_slab() override {
    for (auto& row : rows) delete row.load();
  }
};

sync::atomic<limited_mailbox*>& row_of(mailbox_table& table, const cell& c) noexcept {
  return static_cast<rows_of_slab&>(table).rows[cell_region::number_of(c)];
}

}  // namespace

void prepare_mailbox(cell& c) {
  slab_annex& slab = cell_region::annex_of(c);
  const sync::locked<sync::lock<sync::real>> lock(slab.papers_lock);
  if (slab.mailboxes.load() == nullptr) slab.mailboxes.store(new rows_of_slab);
  auto& row = row_of(*slab.mailboxes.load(), c);
  if (row.load() == nullptr) row.store(new limited_mailbox);
}

void open_mailbox(cell& c, const mailbox_limit& most, detail::mailbox_order&& order) noexcept {
  limited_mailbox& m = mailbox_of(c);
  // relaxed: private until published, see limited_mailbox.
  m.when_full.store(most.when_full, std::memory_order_relaxed);
  m.has_order.store(static_cast<bool>(order), std::memory_order_relaxed);  // relaxed: the same
  m.space.open(port_of(c), {most.messages, most.bytes});
  const bool drops = most.when_full == tact::when_full::drop_oldest;
  if (drops || order) m.kept.open(port_of(c), drops ? most : mailbox_limit{}, std::move(order));
  c.tell_of_limit();
}

limited_mailbox& mailbox_of(const cell& c) noexcept {
  return *row_of(*cell_region::annex_of(c).mailboxes.load(), c).load();
}

}  // namespace tact::actors
