#include "examination.hpp"

#include <stdexcept>
#include <utility>

namespace loudness {

examination::examination(std::filesystem::path path, std::shared_ptr<const archive> kept)
    : path_(std::move(path)), kept_(std::move(kept)), measuring_(path_) {}

std::optional<examined> examination::advance() {
  try {
    if (kept_ != nullptr && !std::exchange(was_looked_up_, true)) {
      if (auto found = look_up()) return found;
    }
    if (hashing_) return take_piece_of_hash();
  } catch (const sound_error&) {
    hashing_.reset();  // the attempt to measure it says why
  } catch (const std::runtime_error& error) {
    hashing_.reset();
    not_kept_ = error.what();
  }
  auto done = measuring_.advance();
  return done ? std::optional(ended(*std::move(done))) : std::nullopt;
}

std::optional<examined> examination::look_up() {
  stamp_ = stamp_of(path_);
  if (!stamp_) return {};
  hashing_.emplace(path_);
  const auto figures = kept_->find(path_, *stamp_);
  if (!figures) return {};
  return examined{{path_.string(), figures, {}, true}};
}

std::optional<examined> examination::take_piece_of_hash() {
  content_ = hashing_->advance();
  if (!content_) return {};
  hashing_.reset();
  const auto figures = kept_->find(*content_);
  if (!figures) return {};
  return examined{{path_.string(), figures, {}, true}, keep{{kept_path(path_).string(), *stamp_, *content_}}};
}

// A file that has changed meanwhile is not kept: nothing says to which of its contents the figures belong.
examined examination::ended(result row) const {
  row.not_kept = not_kept_;
  if (!row.figures || !content_ || !not_kept_.empty()) return {std::move(row)};
  if (stamp_of(path_) != stamp_) {
    row.not_kept = "it has changed while it was measured";
    return {std::move(row)};
  }
  keep to_keep{{kept_path(path_).string(), *stamp_, *content_}, kept_sound{*row.figures, measuring_.track()}};
  return {std::move(row), std::move(to_keep)};
}

}  // namespace loudness
