// What is done for one file, piece by piece: it is looked up in the archive, if there is one, and measured if it is not
// known.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "archive.hpp"
#include "measure.hpp"

namespace loudness {

struct examined {
  result row;
  std::optional<keep> to_keep{};  // what the archive has not got yet
};

// For a thread that has other things to do between two pieces. A file whose size and time have not changed is known; of
// another one the hash is made, and decides. What could not be measured is not kept, and is tried again each time.
class examination {
 public:
  // Without an archive the file is measured.
  examination(std::filesystem::path path, std::shared_ptr<const archive> kept);

  // An examined file: that was the last piece.
  std::optional<examined> advance();
  // How much of the file was measured, from 0 to 1.
  [[nodiscard]] double share() const noexcept { return measuring_.share(); }

 private:
  std::optional<examined> look_up();
  std::optional<examined> take_piece_of_hash();
  [[nodiscard]] examined ended(result row) const;

  std::filesystem::path path_;
  std::shared_ptr<const archive> kept_;
  std::optional<file_stamp> stamp_{};
  std::optional<file_hashing> hashing_{};  // while it goes on
  std::optional<content_hash> content_{};
  std::string not_kept_{};
  bool was_looked_up_ = false;
  measuring measuring_;
};

}  // namespace loudness
