// Runs the main function of a program in a model, when its environment says so:
//   TACT_MODEL          the machine, in the words of hwloc
//   TACT_MODEL_COSTS    a file with costs that differ from the usual ones
//   TACT_MODEL_SEED     1 unless given
//   TACT_MODEL_RESULT   a file for the result as JSON; without it the result goes to stderr as a text
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>

#include "tact/model.hpp"

extern "C" int __real_main(int argc, char** argv, char** environment);

namespace {

std::string whole_file(const char* path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) throw std::runtime_error(std::string("cannot read ") + path);
  return text.str();
}

// The arguments of the program, at the beginning of a page. Where the system puts them differs from run to run, and
// with it how many lines of memory they take.
class placed_arguments {
 public:
  placed_arguments(int argc, char** argv) : pointers_(static_cast<std::size_t>(argc) + 1) {
    std::size_t bytes = pointers_ * sizeof(char*);
    for (int i = 0; i < argc; ++i) bytes += std::strlen(argv[i]) + 1;
    memory_ = static_cast<char*>(::operator new(bytes, page));
    char* text = memory_ + pointers_ * sizeof(char*);
    for (int i = 0; i < argc; ++i) {
      list()[i] = text;
      text = std::strcpy(text, argv[i]) + std::strlen(argv[i]) + 1;
    }
    list()[argc] = nullptr;
  }
  ~placed_arguments() { ::operator delete(memory_, page); }
  placed_arguments(const placed_arguments&) = delete;
  placed_arguments& operator=(const placed_arguments&) = delete;
  [[nodiscard]] char** list() const noexcept { return reinterpret_cast<char**>(memory_); }

 private:
  static constexpr std::align_val_t page{4096};
  const std::size_t pointers_;
  char* memory_ = nullptr;
};

int run(int argc, char** argv, char** environment, const char* machine) {
  const placed_arguments placed(argc, argv);
  tact::model_options options{.machine = machine};
  if (const char* const costs = std::getenv("TACT_MODEL_COSTS")) options.costs.read(whole_file(costs));
  if (const char* const seed = std::getenv("TACT_MODEL_SEED")) options.seed = std::strtoull(seed, nullptr, 0);
  int status = 0;
  const auto result = tact::model::run(options, [&] { status = __real_main(argc, placed.list(), environment); });
  if (const char* const to = std::getenv("TACT_MODEL_RESULT")) {
    if (!(std::ofstream(to) << result.json() << "\n")) throw std::runtime_error(std::string("cannot write ") + to);
  } else {
    std::fputs(result.text().c_str(), stderr);
  }
  return status;
}

}  // namespace

extern "C" int __wrap_main(int argc, char** argv, char** environment) {
  const char* const machine = std::getenv("TACT_MODEL");
  if (machine == nullptr) return __real_main(argc, argv, environment);
  try {
    return run(argc, argv, environment, machine);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "tact::model: %s\n", e.what());
    return 2;
  }
}
