#include "tact/store/store_options.hpp"

#include <ostream>

#include "base/struct_text.hpp"

namespace tact {

std::ostream& operator<<(std::ostream& out, const store_options& o) {
  return out << base::struct_text("store_options")
                    .with("durable_within", o.durable_within)
                    .with("map_bytes", o.map_bytes)
                    .with("readers_max", o.readers_max)
                    .with("tables_max", o.tables_max)
                    .with("snapshot_limit", o.snapshot_limit)
                    .with("end_old_snapshots", o.end_old_snapshots)
                    .with("read_only", o.read_only)
                    .text();
}

}  // namespace tact
