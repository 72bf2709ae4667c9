// Quotas of cgroups, read from files as the kernel shows them.
#include "topology/cpu_quota.hpp"

#include <unistd.h>

#include <fstream>
#include <string>

#include "support/catch.hpp"

namespace cpu_quota_test {

namespace {

namespace fs = std::filesystem;
using tact::topology::read_cpu_quota;
using tact::topology::threads_for;

// A root folder with a proc and a sys of the test's own.
class machine_files {
 public:
  machine_files() {
    std::string pattern = (fs::temp_directory_path() / "tact_quota_XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    root_ = pattern;
  }
  ~machine_files() { fs::remove_all(root_); }
  machine_files(const machine_files&) = delete;
  machine_files& operator=(const machine_files&) = delete;

  void write(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text << '\n';
  }
  void make_folder(const std::string& path) { fs::create_directories(root_ / path); }
  [[nodiscard]] std::optional<double> exact() const { return read_cpu_quota(root_); }
  // In whole processing units.
  [[nodiscard]] std::optional<unsigned> quota() const {
    const auto read = exact();
    if (!read) return {};
    return threads_for(*read);
  }

 private:
  fs::path root_;
};

const std::string mount_v2 = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate";
const std::string mount_v1 = "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct";

}  // namespace

TEST_CASE("cpu quota: there is none without files, without limits, and on this machine perhaps", "[topology]") {
  machine_files files;
  CHECK_FALSE(files.quota());
  files.write("proc/self/cgroup", "0::/a");
  CHECK_FALSE(files.quota());
  files.write("proc/self/mountinfo", mount_v2);
  CHECK_FALSE(files.quota());
  files.write("sys/fs/cgroup/a/cpu.max", "max 100000");
  CHECK_FALSE(files.quota());
  CHECK(read_cpu_quota().value_or(1) > 0);
}

TEST_CASE("cpu quota: of version 2 is rounded up, and at least 1", "[topology]") {
  const auto [text, units] = GENERATE(table<std::string, unsigned>({{"50000 100000", 1},
                                                                    {"100000 100000", 1},
                                                                    {"100001 100000", 2},
                                                                    {"250000 100000", 3},
                                                                    {"400000 50000", 8},
                                                                    {"1 1000000", 1},
                                                                    {"18446744073709551615 1", 4294967295u}}));
  INFO(text);
  machine_files files;
  files.write("proc/self/cgroup", "0::/a");
  files.write("proc/self/mountinfo", mount_v2);
  files.write("sys/fs/cgroup/a/cpu.max", text);
  CHECK(files.quota() == units);
}

TEST_CASE("cpu quota: parts of a processing unit are told exactly", "[topology]") {
  machine_files files;
  files.write("proc/self/cgroup", "0::/a");
  files.write("proc/self/mountinfo", mount_v2);
  files.write("sys/fs/cgroup/a/cpu.max", "750000 100000");
  CHECK(files.exact() == 7.5);
  CHECK(files.quota() == 8u);
  files.write("sys/fs/cgroup/a/cpu.max", "300000 100000");
  CHECK(files.exact() == 3.0);
  CHECK(files.quota() == 3u);
  files.write("sys/fs/cgroup/a/cpu.max", "1000 100000");
  CHECK(files.exact() == 0.01);
  CHECK(files.quota() == 1u);
}

TEST_CASE("cpu quota: the least of all groups above the process counts", "[topology]") {
  machine_files files;
  files.write("proc/self/cgroup", "0::/slice/service/inner");
  files.write("proc/self/mountinfo", mount_v2);
  files.write("sys/fs/cgroup/slice/service/inner/cpu.max", "max 100000");
  CHECK_FALSE(files.quota());
  files.write("sys/fs/cgroup/slice/cpu.max", "600000 100000");
  CHECK(files.quota() == 6u);
  files.write("sys/fs/cgroup/slice/service/cpu.max", "800000 100000");
  CHECK(files.quota() == 6u);
  files.write("sys/fs/cgroup/slice/service/inner/cpu.max", "200000 100000");
  CHECK(files.quota() == 2u);
  files.write("sys/fs/cgroup/cpu.max", "100000 100000");
  CHECK(files.quota() == 1u);
}

TEST_CASE("cpu quota: of version 1 is read where its hierarchy is mounted", "[topology]") {
  machine_files files;
  files.write("proc/self/cgroup", "5:cpuset:/other\n4:cpu,cpuacct:/group\n1:name=systemd:/");
  files.write("proc/self/mountinfo", mount_v1);
  const std::string folder = "sys/fs/cgroup/cpu,cpuacct/group/";
  files.write(folder + "cpu.cfs_quota_us", "-1");
  files.write(folder + "cpu.cfs_period_us", "100000");
  CHECK_FALSE(files.quota());
  files.write(folder + "cpu.cfs_quota_us", "350000");
  CHECK(files.quota() == 4u);
  files.write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "150000");
  files.write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000");
  CHECK(files.quota() == 2u);
}

TEST_CASE("cpu quota: in a container the group is looked for below what is mounted", "[topology]") {
  machine_files files;
  files.write("proc/self/mountinfo", "32 31 0:29 /docker/abc /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu");
  files.write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000");
  files.write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
  for (const char* group : {"/docker/abc", "/docker/abc/inner", "/", "/elsewhere", "/../sibling"}) {
    INFO(group);
    files.write("proc/self/cgroup", std::string("4:cpu:") + group);
    CHECK(files.quota() == 2u);
  }
  files.write("sys/fs/cgroup/cpu/inner/cpu.cfs_quota_us", "100000");
  files.write("sys/fs/cgroup/cpu/inner/cpu.cfs_period_us", "100000");
  CHECK(files.quota() == 2u);
  files.write("proc/self/cgroup", "4:cpu:/docker/abc/inner");
  CHECK(files.quota() == 1u);
}

TEST_CASE("cpu quota: where both versions are mounted the least of both counts", "[topology]") {
  machine_files files;
  files.write("proc/self/cgroup", "4:cpu,cpuacct:/old\n0::/new");
  files.write("proc/self/mountinfo", mount_v1 + "\n41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw");
  files.write("sys/fs/cgroup/cpu,cpuacct/old/cpu.cfs_quota_us", "500000");
  files.write("sys/fs/cgroup/cpu,cpuacct/old/cpu.cfs_period_us", "100000");
  CHECK(files.quota() == 5u);
  files.write("sys/fs/cgroup/unified/new/cpu.max", "300000 100000");
  CHECK(files.quota() == 3u);
  // A group of one version means nothing in the other.
  files.write("sys/fs/cgroup/unified/old/cpu.max", "100000 100000");
  CHECK(files.quota() == 3u);
}

TEST_CASE("cpu quota: a folder with a space in its name is found", "[topology]") {
  machine_files files;
  files.write("proc/self/cgroup", "0::/of some/a:b");
  files.write("proc/self/mountinfo", "30 23 0:26 /of\\040some /sys/fs/c\\040group rw - cgroup2 cgroup2 rw");
  files.write("sys/fs/c group/a:b/cpu.max", "200000 100000");
  CHECK(files.quota() == 2u);
}

TEST_CASE("cpu quota: files that say nonsense set no limit", "[topology]") {
  const std::string text = GENERATE("", "many", "0 100000", "100000 0", "100000", "-1 100000", "2.5 100000",
                                    "200000 1e5", "99999999999999999999 100000", "max", "\xff\xfe", "100000 -1");
  INFO(text);
  machine_files files;
  files.write("proc/self/cgroup", "nonsense\n:\n0::/a\n::\n9:cpu");
  files.write("proc/self/mountinfo", "nonsense\n" + mount_v2 + "\n- -\n1 2 3 4 \\04 - cgroup2\n");
  files.write("sys/fs/cgroup/a/cpu.max", text);
  CHECK_FALSE(files.quota());
  // What the group above it says holds all the same.
  files.write("sys/fs/cgroup/cpu.max", "300000 100000");
  CHECK(files.quota() == 3u);
}

TEST_CASE("cpu quota: folders in the places of files set no limit", "[topology]") {
  machine_files files;
  files.write("proc/self/cgroup", "0::/a\n4:cpu:/b");
  files.write("proc/self/mountinfo", mount_v2 + "\n" + mount_v1);
  files.make_folder("sys/fs/cgroup/a/cpu.max");
  files.make_folder("sys/fs/cgroup/cpu,cpuacct/b/cpu.cfs_quota_us");
  files.make_folder("sys/fs/cgroup/cpu,cpuacct/b/cpu.cfs_period_us");
  CHECK_FALSE(files.quota());
  machine_files nothing;
  nothing.make_folder("proc/self/cgroup");
  nothing.make_folder("proc/self/mountinfo");
  CHECK_FALSE(nothing.quota());
}

}  // namespace cpu_quota_test
