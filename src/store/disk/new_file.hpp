// Makes store files, which are there whole or not at all.
#pragma once

#include <filesystem>

namespace tact::lmdb {

// Does nothing if a file of this path is there, or another process makes it at this moment. Throws store_error:
// not_opened.
void make_if_missing(const std::filesystem::path& path);

// What has been written to the folder of this file, such as a new name, is on the disk. Returns errno.
[[nodiscard]] int sync_folder_of(const std::filesystem::path& path) noexcept;

// A name beside `path` for a file that gets the name of `path` when it is whole. Other processes use other names.
[[nodiscard]] std::filesystem::path temporary_beside(const std::filesystem::path& path);
// LMDB's lock file.
[[nodiscard]] std::filesystem::path lock_file_of(const std::filesystem::path& path);
// Gives it the name of `path`. `replace`: an older file of this name goes. Returns errno; EEXIST if it may not go.
[[nodiscard]] int give_name(const std::filesystem::path& temporary, const std::filesystem::path& path,
                            bool replace) noexcept;

}  // namespace tact::lmdb
