#include "tact/store/detail/shape_shelf.hpp"

#include <utility>

#include "tact/codec/key.hpp"

namespace tact::detail {

shape_shelf::shape_shelf(disk& file) : file_(file), table_(file.table("tact.shapes")) { read(); }

void shape_shelf::read() {
  const byte_snapshot now = file_.read();
  byte_cursor at(now, table_);
  for (bool is_there = at.first(); is_there; is_there = at.next()) add(at.key(), at.value());
}

bool shape_shelf::has(std::uint64_t fingerprint) {
  const std::lock_guard lock(guard_);
  return shapes_.contains(fingerprint);
}

const tact::shape* shape_shelf::find(std::uint64_t fingerprint) {
  for (bool again = file_.options().read_only;; again = false) {
    {
      const std::lock_guard lock(guard_);
      const auto found = shapes_.find(fingerprint);
      if (found != shapes_.end()) return found->second.get();
    }
    if (!again) return nullptr;
    read();
  }
}

void shape_shelf::add(std::string_view key, std::string_view description) {
  const auto fingerprint = decode_key<std::uint64_t>(key);
  if (has(fingerprint)) return;
  auto made = std::make_unique<const tact::shape>(description);
  const std::lock_guard lock(guard_);
  shapes_.try_emplace(fingerprint, std::move(made));
}

}  // namespace tact::detail
