// Where results last: the figures and the levels of sounds, and which files have them. A sound is known by the hash of
// its bytes, so a file that was moved or copied is known; a file by its path, its size, and when it was written.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tact/tact.hpp>

#include "content_hash.hpp"
#include "file_stamp.hpp"
#include "level_track.hpp"
#include "result.hpp"

namespace loudness {

struct kept_file {
  std::string path{};
  file_stamp stamp{};
  content_hash content{};
};

struct kept_sound {
  measurement figures{};
  level_track track{};
};

// Keeps that the file has this content; the sound, if it is new. It is answered when those who read see it, and it is
// on the disk a second later at most.
struct keep {
  using reply = void;
  kept_file file{};
  std::optional<kept_sound> sound{};
};

// Paths are made absolute and normal. What it finds is what was kept last, also by another process; nothing waits for
// the disk. The calls throw std::runtime_error, whose text names the file and the remedy. Thread safety: any number of
// threads at once.
class archive {
 public:
  archive() = default;
  archive(const archive&) = delete;
  archive& operator=(const archive&) = delete;
  virtual ~archive() = default;

  // The figures of a file that has not changed since they were kept.
  [[nodiscard]] virtual std::optional<measurement> find(const std::filesystem::path& path,
                                                        const file_stamp& stamp) const = 0;
  [[nodiscard]] virtual std::optional<measurement> find(const content_hash& content) const = 0;
  [[nodiscard]] virtual std::optional<level_track> track_of(const std::filesystem::path& path) const = 0;
  // All files, in the order of their paths.
  [[nodiscard]] virtual std::vector<result> all() const = 0;

  // REQUIRES: it was opened to keep; in the calls below too
  [[nodiscard]] virtual tact::ref<tact::request<keep>> keeper() const = 0;
  // For threads outside of handlers: forgets the files that are gone, of those in the folders if there are any, and the
  // sounds that no file has any more. Returns how many files those were.
  virtual std::size_t forget_gone(const std::vector<std::filesystem::path>& folders) = 0;
  // For threads outside of handlers: ends it when all is on the disk.
  virtual void close() = 0;
};

enum class archive_use : unsigned char {
  keep,    // makes the file; one process at a time
  browse,  // reads, also while another process keeps
};

// It must be destroyed before the engine. Throws std::runtime_error, also if the program was built without tact-store.
std::shared_ptr<archive> open_archive(tact::engine& in, const std::filesystem::path& file, archive_use use);

// As a file is known in an archive.
std::filesystem::path kept_path(const std::filesystem::path& path);

}  // namespace loudness
