// Reads a value from bytes of another shape: these become bytes of the own shape, which are read by position.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "tact/codec/codec_limits.hpp"
#include "tact/codec/detail/checked_input.hpp"
#include "tact/codec/detail/migration_plan.hpp"
#include "tact/codec/detail/migrator.hpp"
#include "tact/codec/detail/shape_data.hpp"
#include "tact/codec/detail/shape_parser.hpp"
#include "tact/codec/detail/shape_text.hpp"

namespace tact::detail::coding {

// A plan with the shape of the writer, to which it refers.
struct planned_migration {
  planned_migration(shape_data writer, const shape_data& own, const codec_limits& limits)
      : from(std::move(writer)), plan(migration_planner::make(from, own, limits)) {}
  planned_migration(const planned_migration&) = delete;
  planned_migration& operator=(const planned_migration&) = delete;

  const shape_data from;
  const migration_plan plan;
};

// The plans that a thread has made last for one type of its own. So few that an enemy who sends ever new shapes takes
// no memory.
class kept_migrations {
 public:
  using kept = std::shared_ptr<const planned_migration>;

  [[nodiscard]] kept find(std::string_view description) const {
    for (const kept& each : all_) {
      if (each != nullptr && each->from.description == description) return each;
    }
    return nullptr;
  }
  // In the place of the oldest one.
  kept keep(kept made) noexcept {
    all_[next_] = made;
    next_ = (next_ + 1) % all_.size();
    return made;
  }

 private:
  std::array<kept, 8> all_{};
  std::size_t next_ = 0;
};

// A value of the own shape as bytes; `offset` is where `body` begins in what was to be decoded.
inline std::string migrated(const planned_migration& by, std::string_view body, std::size_t offset,
                            const codec_limits& limits) {
  const shape_data& own = *by.plan.to;
  const std::string root = text_of_part(own, own.root);
  checked_input in(body, offset, limits, root);
  std::string out;
  migrator(by.plan, in, limits).run(out);
  in.require_end();
  return out;
}

}  // namespace tact::detail::coding
