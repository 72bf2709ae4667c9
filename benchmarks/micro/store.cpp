// What the file of a store costs beside bare LMDB: reads of one entry in a snapshot of its own by 1, 2 and 4 threads, a
// scan, and groups of 1, 16 and 1,000 changes. A million entries with keys of 16 and values of 100 bytes, found in
// random order; the first word --tiny takes a hundredth. The files lie in /dev/shm and in the folder of TMPDIR.
#include <benchmark/benchmark.h>
#include <lmdb.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "store/disk/checksum.hpp"
#include "store/disk/examination.hpp"
#include "tact/store/detail/disk.hpp"

namespace tact::bench {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t value_bytes = 100;
std::size_t entries = 1'000'000;

std::string key_of(std::size_t n) {
  char text[17];
  std::snprintf(text, sizeof text, "%016zx", (n * 0x9e3779b97f4a7c15u) & 0xffffffffffffffffu);
  return {text, 16};
}

struct folder {
  explicit folder(const fs::path& in) {
    std::string name = (in / "tact-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder " + name);
    path = name;
  }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;
  ~folder() { fs::remove_all(path); }
  fs::path path;
};

void must(int code) {
  if (code != 0) throw std::runtime_error(mdb_strerror(code));
}

class ours {
 public:
  explicit ours(const fs::path& in) : file_(detail::disk::open(in / "ours", {})), table_(file_->table("t")) {}

  struct reader {
    detail::disk& file;
    detail::table_number table;
    bool find(std::string_view key) const { return file.read().find(table, key)->size() == value_bytes; }
  };
  reader make_reader() { return {*file_, table_}; }
  std::size_t scan() {
    const auto now = file_->read();
    detail::byte_cursor at(now, table_);
    std::size_t bytes = 0;
    for (bool more = at.first(); more; more = at.next()) bytes += at.value().size();
    return bytes;
  }
  std::size_t check() { return lmdb::examine_apart(file_->path(), lmdb::depth::all_in_use).entries; }
  void write(const std::vector<std::string>& keys, const std::string& value) {
    std::vector<detail::byte_change> group;
    group.reserve(keys.size());
    for (const std::string& k : keys) group.push_back({table_, k, value});
    if (file_->commit(group).what != detail::commit_result::fate::durable) throw std::runtime_error("not written");
  }

 private:
  std::shared_ptr<detail::disk> file_;
  detail::table_number table_;
};

class bare {
 public:
  explicit bare(const fs::path& in) {
    must(mdb_env_create(&env_));
    must(mdb_env_set_mapsize(env_, std::size_t{64} << 30));
    must(mdb_env_set_maxdbs(env_, 64));
    must(mdb_env_set_maxreaders(env_, 2048));
    must(mdb_env_open(env_, (in / "bare").c_str(), MDB_NOSUBDIR | MDB_NOTLS, 0600));
    MDB_txn* t = nullptr;
    must(mdb_txn_begin(env_, nullptr, 0, &t));
    must(mdb_dbi_open(t, "t", MDB_CREATE, &table_));
    must(mdb_txn_commit(t));
  }
  bare(const bare&) = delete;
  bare& operator=(const bare&) = delete;
  ~bare() { mdb_env_close(env_); }

  class reader {
   public:
    reader(MDB_env* env, MDB_dbi table) : table_(table) {
      must(mdb_txn_begin(env, nullptr, MDB_RDONLY, &txn_));
      mdb_txn_reset(txn_);
    }
    reader(const reader&) = delete;
    reader& operator=(const reader&) = delete;
    ~reader() { mdb_txn_abort(txn_); }
    bool find(std::string_view key) const {
      MDB_val k{key.size(), const_cast<char*>(key.data())}, v{};
      must(mdb_txn_renew(txn_));
      must(mdb_get(txn_, table_, &k, &v));
      mdb_txn_reset(txn_);
      return v.mv_size == value_bytes;
    }

   private:
    MDB_txn* txn_ = nullptr;
    MDB_dbi table_;
  };
  reader make_reader() { return {env_, table_}; }
  std::size_t scan() {
    MDB_txn* t = nullptr;
    must(mdb_txn_begin(env_, nullptr, MDB_RDONLY, &t));
    MDB_cursor* c = nullptr;
    must(mdb_cursor_open(t, table_, &c));
    std::size_t bytes = 0;
    MDB_val k{}, v{};
    // Each value is looked at, as a program does that goes through them.
    const auto is_filled = [&v] { return static_cast<const char*>(v.mv_data)[v.mv_size - 1] != '\0'; };
    while (mdb_cursor_get(c, &k, &v, MDB_NEXT) == 0) bytes += is_filled() ? v.mv_size : 0;
    mdb_cursor_close(c);
    mdb_txn_abort(t);
    return bytes;
  }
  void write(const std::vector<std::string>& keys, const std::string& value) {
    MDB_txn* t = nullptr;
    must(mdb_txn_begin(env_, nullptr, 0, &t));
    for (const std::string& key : keys) {
      MDB_val k{key.size(), const_cast<char*>(key.data())}, v{value.size(), const_cast<char*>(value.data())};
      must(mdb_put(t, table_, &k, &v, 0));
    }
    must(mdb_txn_commit(t));
  }

 private:
  MDB_env* env_ = nullptr;
  MDB_dbi table_ = 0;
};

// Filled once, for all benchmarks that read.
template <class File>
File& filled() {
  static const folder in("/dev/shm");
  static const auto file = [] {
    auto made = std::make_unique<File>(in.path);
    constexpr std::size_t group = 10'000;
    for (std::size_t n = 0; n < entries; n += group) {
      std::vector<std::string> keys;
      for (std::size_t i = n; i < std::min(n + group, entries); ++i) keys.push_back(key_of(i));
      made->write(keys, std::string(value_bytes, 'v'));
    }
    return made;
  }();
  return *file;
}

template <class File>
void find(benchmark::State& state) {
  auto&& reader = filled<File>().make_reader();
  std::minstd_rand dice(static_cast<unsigned>(state.thread_index() + 1));
  std::vector<std::string> keys;
  for (int n = 0; n < 100'000; ++n) keys.push_back(key_of(dice() % entries));
  std::size_t at = 0;
  for (auto _ : state) {
    if (!reader.find(keys[at])) state.SkipWithError("not found");
    at = at + 1 == keys.size() ? 0 : at + 1;
  }
  state.SetItemsProcessed(state.iterations());
}

template <class File>
void scan(benchmark::State& state) {
  File& file = filled<File>();
  for (auto _ : state) {
    if (file.scan() != entries * value_bytes) state.SkipWithError("not all were found");
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(entries));
}

void check(benchmark::State& state) {
  ours& file = filled<ours>();
  for (auto _ : state) {
    if (file.check() != entries) state.SkipWithError("not all were looked at");
  }
}

template <class File>
void write(benchmark::State& state, const fs::path& in) {
  const folder own(in);
  File file(own.path);
  const auto puts = static_cast<std::size_t>(state.range(0));
  std::size_t number = 0;
  std::vector<std::string> keys(puts);
  for (auto _ : state) {
    for (std::string& k : keys) k = key_of(number++ % 100'000);
    file.write(keys, std::to_string(number) + std::string(value_bytes, 'v'));
  }
  state.SetItemsProcessed(state.iterations());
}

// What each read does beside LMDB's part.
void checksum(benchmark::State& state) {
  std::string key = key_of(1), value(value_bytes, 'v');
  for (auto _ : state) {
    benchmark::DoNotOptimize(key.data());
    benchmark::DoNotOptimize(lmdb::entry_checksum(1, key, value));
  }
}

// An opening looks at the file in a child process.
void open_and_close(benchmark::State& state) {
  const folder in("/dev/shm");
  for (auto _ : state) benchmark::DoNotOptimize(detail::disk::open(in.path / "opened", {}));
}

void register_all(const fs::path& disk) {
  for (const int threads : {1, 2, 4}) {
    benchmark::RegisterBenchmark("find/bare", find<bare>)->Threads(threads)->UseRealTime();
    benchmark::RegisterBenchmark("find/ours", find<ours>)->Threads(threads)->UseRealTime();
  }
  benchmark::RegisterBenchmark("checksum", checksum);
  benchmark::RegisterBenchmark("open", open_and_close)->UseRealTime()->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark("scan/bare", scan<bare>)->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("scan/ours", scan<ours>)->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("check", check)->UseRealTime()->Unit(benchmark::kMillisecond);
  const std::pair<const char*, fs::path> places[] = {{"tmpfs", "/dev/shm"}, {"disk", disk}};
  for (const auto& [name, in] : places) {
    for (const int puts : {1, 16, 1000}) {
      const std::string where = std::string("commit/") + name;
      const auto both = {benchmark::RegisterBenchmark((where + "/bare").c_str(),
                                                      [in = in](benchmark::State& s) { write<bare>(s, in); }),
                         benchmark::RegisterBenchmark((where + "/ours").c_str(),
                                                      [in = in](benchmark::State& s) { write<ours>(s, in); })};
      for (auto* const b : both) b->Arg(puts)->UseRealTime()->Unit(benchmark::kMicrosecond);
    }
  }
}

}  // namespace
}  // namespace tact::bench

int main(int count, char** values) {
  if (count > 1 && std::string_view(values[1]) == "--tiny") {
    tact::bench::entries = 10'000;
    values[1] = values[0];
    ++values;
    --count;
  }
  benchmark::Initialize(&count, values);
  tact::bench::register_all(std::filesystem::temp_directory_path());
  benchmark::RunSpecifiedBenchmarks();
}
