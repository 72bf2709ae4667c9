// Several copies of the library in one process, each in a plug-in of its own.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/catch.hpp"

namespace tact::plugin_tests {
namespace {

// Another file for each copy, because dlopen loads a file once.
class plugin_copy {
 public:
  plugin_copy(const char* original, const std::string& name)
      : file_(std::filesystem::temp_directory_path() / (std::to_string(::getpid()) + "-" + name + ".so")) {
    std::filesystem::copy_file(original, file_, std::filesystem::copy_options::overwrite_existing);
    library_ = ::dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) FAIL(::dlerror());
  }
  plugin_copy(const plugin_copy&) = delete;
  plugin_copy& operator=(const plugin_copy&) = delete;
  ~plugin_copy() {
    close();
    std::filesystem::remove(file_);
  }

  template <class Function>
  [[nodiscard]] Function* find(const char* name) const {
    void* const found = ::dlsym(library_, name);
    if (found == nullptr) FAIL(::dlerror());
    return reinterpret_cast<Function*>(found);
  }
  void close() noexcept {
    if (library_ != nullptr) ::dlclose(std::exchange(library_, nullptr));
  }
  [[nodiscard]] bool is_loaded() const {
    void* const found = ::dlopen(file_.c_str(), RTLD_NOW | RTLD_NOLOAD);
    if (found != nullptr) ::dlclose(found);
    return found != nullptr;
  }

 private:
  std::filesystem::path file_;
  void* library_ = nullptr;
};

constexpr int own_status = 42;

// A crash handler of the program's own, until the end of the test.
class own_handler {
 public:
  own_handler() {
    struct sigaction act {};
    act.sa_handler = &end;
    ::sigemptyset(&act.sa_mask);
    ::sigaction(SIGSEGV, &act, &before_);
  }
  own_handler(const own_handler&) = delete;
  own_handler& operator=(const own_handler&) = delete;
  ~own_handler() { ::sigaction(SIGSEGV, &before_, nullptr); }

  [[nodiscard]] static bool is_installed() {
    struct sigaction now {};
    ::sigaction(SIGSEGV, nullptr, &now);
    return (now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == &end;
  }
  // Does a crash come to it, whoever else sees it first?
  [[nodiscard]] static bool hears_of_crash() {
    const ::pid_t child = ::fork();
    if (child == 0) {
      volatile int* volatile nowhere = nullptr;
      *nowhere = 1;
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == own_status;
  }

 private:
  static void end(int) { ::_exit(own_status); }
  struct sigaction before_ {};
};

// On a thread that ends, because a library stays as long as a thread has something of it to destroy.
void watch_faults(const plugin_copy& library) {
  std::thread([call = library.find<void()>("watch_faults")] { call(); }).join();
}

}  // namespace

TEST_CASE("plug-ins: eight copies of the library run in one process, one after another and at once", "[plugins]") {
  std::vector<std::unique_ptr<plugin_copy>> copies;
  for (long i = 0; i < 8; ++i) {
    copies.push_back(std::make_unique<plugin_copy>(PLUGIN_COPY, "copy" + std::to_string(i)));
    CHECK(copies.back()->find<long(long)>("run_engine")(i) == i + 1);
  }
  std::vector<long> results(copies.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    threads.emplace_back([&results, i, run = copies[i]->find<long(long)>("run_engine")] { results[i] = run(10); });
  }
  for (std::thread& t : threads) t.join();
  CHECK(results == std::vector<long>(copies.size(), 11));
}

TEST_CASE("plug-ins: a copy of the library that was used stays in the process, and may be loaded again", "[plugins]") {
  const own_handler own;
  plugin_copy copy(PLUGIN_COPY, "again");
  CHECK(copy.find<long(long)>("run_engine")(1) == 2);
  copy.close();
  CHECK(copy.is_loaded());
  CHECK(own_handler::hears_of_crash());
}

TEST_CASE("faults: a library that is unloaded takes its handlers with it", "[plugins]") {
  const own_handler own;
  plugin_copy only(PLUGIN_FAULTS, "only");
  watch_faults(only);
  CHECK_FALSE(own_handler::is_installed());
  CHECK(own_handler::hears_of_crash());
  only.close();
  CHECK_FALSE(only.is_loaded());
  CHECK(own_handler::is_installed());
}

TEST_CASE("faults: a library stays while another one may pass faults on to it", "[plugins]") {
  const own_handler own;
  plugin_copy first(PLUGIN_FAULTS, "first");
  plugin_copy second(PLUGIN_FAULTS, "second");
  watch_faults(first);
  watch_faults(second);
  first.close();
  CHECK(first.is_loaded());
  CHECK(own_handler::hears_of_crash());
  second.close();
  CHECK_FALSE(second.is_loaded());
  CHECK_FALSE(first.is_loaded());
  CHECK(own_handler::is_installed());
}

}  // namespace tact::plugin_tests
