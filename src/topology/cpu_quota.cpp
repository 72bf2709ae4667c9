#include "topology/cpu_quota.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <system_error>
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
  for (std::string line; std::getline(file, line);) {
    std::istringstream parts(line);
    std::string number, controllers, path;
    if (!std::getline(parts, number, ':') || !std::getline(parts, controllers, ':') || !std::getline(parts, path))
      continue;
    if (controllers.empty() || lists(controllers, "cpu")) groups.push_back({controllers.empty(), path});
  }
  return groups;
}

// A word of mountinfo, where the kernel writes characters that end a word as a backslash and three octal digits.
std::string plain(const std::string& word) {
  const auto is_octal = [](char c) { return c >= '0' && c <= '7'; };
  std::string text;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] != '\\' || word.size() - i < 4 || !std::all_of(&word[i + 1], &word[i + 1] + 3, is_octal)) {
      text += word[i];
      continue;
    }
    text += static_cast<char>((word[i + 1] - '0') * 64 + (word[i + 2] - '0') * 8 + (word[i + 3] - '0'));
    i += 3;
  }
  return text;
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
      mounts.push_back({unified, plain(from), root / fs::path(plain(point)).relative_path()});
    }
  }
  return mounts;
}

// The number with which the file begins; nothing for "max" and -1, which stand for no limit, and for all else that is
// no number. `second`: the number behind it.
std::optional<std::uint64_t> read_number(const fs::path& path, bool second = false) {
  std::ifstream file(path);
  std::string word;
  if (!(file >> word) || (second && !(file >> word))) return {};
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc{} || end != word.data() + word.size()) return {};
  return number;
}

// The limit, in processing units, of the group in this folder; nothing when the group sets no limit.
std::optional<double> limit_of(const fs::path& folder, bool unified) {
  const auto time = read_number(folder / (unified ? "cpu.max" : "cpu.cfs_quota_us"));
  const auto every = unified ? read_number(folder / "cpu.max", true) : read_number(folder / "cpu.cfs_period_us");
  if (!time || !every || *time == 0 || *every == 0) return {};
  return static_cast<double>(*time) / static_cast<double>(*every);
}

// The group as a path below the mount. A group that does not lie below what is mounted, such as one named in another
// cgroup namespace, is taken for the mounted group, which is the nearest that this process can see.
fs::path below(const mount& m, const std::string& group) {
  const fs::path relative = fs::path(group).lexically_relative(m.root);
  if (relative.empty() || relative == "." || *relative.begin() == "..") return {};
  return relative;
}

std::optional<double> least_limit(const fs::path& root) {
  std::optional<double> least;
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

}  // namespace

// An engine starts without a quota rather than not at all, whatever the files say, and when memory is short.
std::optional<double> read_cpu_quota(const fs::path& root) noexcept {
  try {
    return least_limit(root);
  } catch (...) {
    return {};
  }
}

unsigned threads_for(double quota) noexcept {
  return static_cast<unsigned>(std::clamp(std::ceil(quota), 1.0, double{std::numeric_limits<unsigned>::max()}));
}

}  // namespace tact::topology
