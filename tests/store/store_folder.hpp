// A folder for the files of a test, which goes with the test.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace tact::support {

class store_folder {
 public:
  store_folder() {
    // In memory, where a flush costs nothing.
    const std::filesystem::path shared_memory = "/dev/shm";
    const bool has_one = std::filesystem::is_directory(shared_memory);
    const auto in = has_one ? shared_memory : std::filesystem::temp_directory_path();
    std::string name = (in / "tact-store-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for the test");
    path_ = name;
  }
  store_folder(const store_folder&) = delete;
  store_folder& operator=(const store_folder&) = delete;
  ~store_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace tact::support
