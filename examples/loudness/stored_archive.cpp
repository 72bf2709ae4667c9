// An archive in a file of tact-store.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <set>
#include <span>
#include <system_error>
#include <utility>

#include <tact/store/store.hpp>
#include <tact/store/store_file.hpp>
#include <tact/store/transacting.hpp>

#include "archive.hpp"

namespace loudness {
namespace {

// What a crash of the machine, or of the program, may take of what was told.
constexpr std::chrono::seconds loss_max{1};

// A key of the store has at most some 500 bytes. A longer path is cut, and the hash of it is put behind.
std::string key_of(const std::filesystem::path& path) {
  constexpr std::size_t longest = 400;
  std::string key = kept_path(path).string();
  if (key.size() <= longest) return key;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(key.data());
  const std::size_t whole = key.size() - key.size() % hasher::block_bytes;
  hasher hash;
  hash.add({bytes, whole});
  const content_hash rest = hash.end({bytes + whole, key.size() - whole});
  char text[40];
  std::snprintf(text, sizeof text, "\x01%016llx%016llx", static_cast<unsigned long long>(rest.high),
                static_cast<unsigned long long>(rest.low));
  return key.substr(0, longest) + text;
}

bool is_inside(const std::filesystem::path& folder, const std::filesystem::path& path) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

tact::store_options options_of(archive_use use) {
  tact::store_options chosen;
  chosen.durable_within = loss_max;
  chosen.read_only = use == archive_use::browse;
  return chosen;
}

struct tables {
  explicit tables(const tact::store_file& in) : files(in, "files"), sounds(in, "sounds"), tracks(in, "tracks") {}

  tact::store<std::string, kept_file> files;
  tact::store<content_hash, measurement> sounds;
  tact::store<content_hash, level_track> tracks;
};

tact::behavior<tact::request<keep>> make_keeper(const tact::store_file& file, const tables& in) {
  return tact::transacting<keep>(file, [in](tact::store_view& view, const keep& m) {
    view.put(in.files, key_of(m.file.path), m.file);
    if (!m.sound) return;
    view.put(in.sounds, m.file.content, m.sound->figures);
    view.put(in.tracks, m.file.content, m.sound->track);
  });
}

// Sounds are few bytes, so all that are there are looked at.
void forget_unused(tact::store_view& view, const tables& in) {
  std::set<content_hash> used;
  view.for_each(in.files, [&](const std::string&, const kept_file& f) { used.insert(f.content); });
  std::vector<content_hash> unused;
  view.for_each(in.sounds, [&](const content_hash& h, const measurement&) {
    if (!used.contains(h)) unused.push_back(h);
  });
  for (const content_hash& h : unused) {
    view.erase(in.sounds, h);
    view.erase(in.tracks, h);
  }
}

class stored_archive : public archive {
 public:
  stored_archive(tact::engine& engine, const std::filesystem::path& file, archive_use use)
      : file_(engine, file, options_of(use)), in_(file_) {
    if (use == archive_use::keep) keeper_ = engine.create(make_keeper(file_, in_), tact::parallel, tact::owned);
  }

  std::optional<measurement> find(const std::filesystem::path& path, const file_stamp& stamp) const override {
    const auto known = in_.files.find(key_of(path));
    return known && known->stamp == stamp ? find(known->content) : std::nullopt;
  }
  std::optional<measurement> find(const content_hash& content) const override { return in_.sounds.find(content); }
  std::optional<level_track> track_of(const std::filesystem::path& path) const override {
    const auto known = in_.files.find(key_of(path));
    return known ? in_.tracks.find(known->content) : std::nullopt;
  }
  std::vector<result> all() const override {
    std::vector<result> found;
    const auto now = file_.snapshot("all files of loudness");
    for (const auto& [key, f] : in_.files.in(now)) {
      if (auto figures = in_.sounds.find(now, f.content)) found.push_back({f.path, std::move(figures), {}});
    }
    return found;
  }

  tact::ref<tact::request<keep>> keeper() const override { return keeper_.ref(); }
  std::size_t forget_gone(const std::vector<std::filesystem::path>& folders) override {
    const std::map<std::string, kept_file> gone = files_gone(folders);
    return file_.transact([&](tact::store_view& view) {
      for (const auto& [key, f] : gone) view.erase(in_.files, key);
      forget_unused(view, in_);
      return gone.size();
    });
  }
  void close() override { file_.close(); }

 private:
  std::map<std::string, kept_file> files_gone(const std::vector<std::filesystem::path>& folders) const {
    std::map<std::string, kept_file> gone;
    const auto now = file_.snapshot("files that are gone");
    for (const auto& [key, f] : in_.files.in(now)) {
      const std::filesystem::path path(f.path);
      const bool is_meant = folders.empty() || std::any_of(folders.begin(), folders.end(), [&](const auto& folder) {
                              return is_inside(kept_path(folder), path);
                            });
      std::error_code hidden;  // what may not be looked at is not gone
      if (is_meant && std::filesystem::status(path, hidden).type() == std::filesystem::file_type::not_found) {
        gone.emplace(key, f);
      }
    }
    return gone;
  }

  tact::store_file file_;
  tables in_;
  tact::owner<tact::request<keep>> keeper_{};
};

}  // namespace

std::shared_ptr<archive> open_archive(tact::engine& in, const std::filesystem::path& file, archive_use use) {
  return std::make_shared<stored_archive>(in, file, use);
}

}  // namespace loudness
