// A folder for the files of a test, which goes with the test.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <string>

namespace tact::support {

class store_folder {
 public:
  store_folder() {
    const std::filesystem::path memory = "/dev/shm";  // the tests ask what is written, not how fast a disk is
    const auto in = ::access(memory.c_str(), W_OK) == 0 ? memory : std::filesystem::temp_directory_path();
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
