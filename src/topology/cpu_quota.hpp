// How much processor time the cgroups of this process grant it.
#pragma once

#include <filesystem>
#include <optional>

namespace tact::topology {

// In processing units, such as 2.5, as it is at the moment of the call; nothing when there is no limit. Both versions
// of cgroups are read, from the process's own group up to the highest that it can see; the least limit counts. A file
// that is missing, or says what no kernel says, sets no limit. `root` is where proc and sys lie.
[[nodiscard]] std::optional<double> read_cpu_quota(const std::filesystem::path& root = "/") noexcept;
// How many threads such a quota keeps busy: rounded up, because the last of them is busy for a part of the time.
[[nodiscard]] unsigned threads_for(double quota) noexcept;

}  // namespace tact::topology
