#include "topology/cpu_quota.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace tact::topology {
namespace {

namespace fs = std::filesystem;

// A line of /proc/self/cgroup.
struct group {
  bool unified;  // version 2
  std::string path;
};

// A place where a hierarchy of cgroups that limits processor time is mounted.
struct mount {
  bool unified;
  std::string root;  // the group that appears at `point`
  fs::path point;
};

bool lists(const std::string& commas, const std::string& wanted) {
  return ("," + commas + ",").find("," + wanted + ",") != std::string::npos;
}

std::vector<group> read_groups(const fs::path& root) {
  std::vector<group> groups;
  std::ifstream file(root / "proc/self/cgroup");
  for (std::string number, controllers, path;
       std::getline(file, number, ':') && std::getline(file, controllers, ':') && std::getline(file, path);) {
    if (controllers.empty() || lists(controllers, "cpu")) groups.push_back({controllers.empty(), path});
  }
  return groups;
}

std::vector<mount> read_mounts(const fs::path& root) {
  std::vector<mount> mounts;
  std::ifstream file(root / "proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    // number parent device root point options [optional fields] - type source options-of-the-hierarchy
    std::istringstream words(line);
    std::string skipped, from, point, type, options;
    words >> skipped >> skipped >> skipped >> from >> point;
    while (words >> skipped && skipped != "-") {
    }
    words >> type >> skipped >> options;
    const bool unified = type == "cgroup2";
    if (unified || (type == "cgroup" && lists(options, "cpu"))) {
      mounts.push_back({unified, from, root / fs::path(point).relative_path()});
    }
  }
  return mounts;
}

// The limit, in processing units, of the group in this folder; nothing when the group sets no limit.
std::optional<unsigned> limit_of(const fs::path& folder, bool unified) {
  std::uint64_t quota = 0;
  std::uint64_t period = 0;
  // "max" and -1 stand for no limit: neither can be read as a number without a sign.
  const auto read = [](std::istream& from, std::uint64_t& number) {
    return (from >> std::ws).peek() != '-' && static_cast<bool>(from >> number);
  };
  if (unified) {
    std::ifstream file(folder / "cpu.max");
    if (!read(file, quota) || !read(file, period)) return {};
  } else {
    std::ifstream time(folder / "cpu.cfs_quota_us");
    std::ifstream every(folder / "cpu.cfs_period_us");
    if (!read(time, quota) || !read(every, period)) return {};
  }
  if (quota == 0 || period == 0) return {};
  const std::uint64_t units = (quota - 1) / period + 1;
  return static_cast<unsigned>(std::min<std::uint64_t>(units, std::numeric_limits<unsigned>::max()));
}

// The group as a path below the mount. A group that does not lie below what is mounted, such as one named in another
// cgroup namespace, is taken for the mounted group, which is the nearest that this process can see.
fs::path below(const mount& m, const std::string& group) {
  const fs::path relative = fs::path(group).lexically_relative(m.root);
  if (relative.empty() || relative == "." || *relative.begin() == "..") return {};
  return relative;
}

}  // namespace

std::optional<unsigned> read_cpu_quota(const fs::path& root) {
  std::optional<unsigned> least;
  const std::vector<mount> mounts = read_mounts(root);
  for (const group& g : read_groups(root)) {
    for (const mount& m : mounts) {
      if (m.unified != g.unified) continue;
      fs::path group = below(m, g.path);
      for (;; group = group.parent_path()) {
        if (const auto limit = limit_of(m.point / group, m.unified)) least = std::min(least.value_or(*limit), *limit);
        if (group.empty()) break;
      }
    }
  }
  return least;
}

}  // namespace tact::topology
