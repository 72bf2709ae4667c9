// How much processor time the cgroups of this process grant it.
#pragma once

#include <filesystem>
#include <optional>

namespace tact::topology {

// In processing units, rounded up, at least 1; nothing when there is no limit. Both versions of cgroups are read, from
// the process's own group up to the highest that it can see; the least limit counts. `root` is where proc and sys lie.
[[nodiscard]] std::optional<unsigned> read_cpu_quota(const std::filesystem::path& root = "/");

}  // namespace tact::topology
