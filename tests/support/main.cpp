// The main function of every Catch2 test program. Ends with a line "failed: NAME" for each test case that failed, and
// the line "N passed, N failed", counted in test cases.
#define CATCH_CONFIG_RUNNER
#include "support/catch.hpp"

#include <cstdio>
#include <string>
#include <vector>

#if CATCH_VERSION_MAJOR == 2
using listener_base = Catch::TestEventListenerBase;
#else
using listener_base = Catch::EventListenerBase;
#endif

namespace {

#if CATCH_VERSION_MAJOR == 2
const std::string& name_of(const Catch::TestCaseInfo& test) { return test.name; }
#else
const std::string& name_of(const Catch::TestCaseInfo* test) { return test->name; }
#endif

class verdict : public listener_base {
 public:
  using listener_base::listener_base;

  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    if (stats.totals.testCases.failed > 0) names_of_failed.push_back(name_of(stats.testInfo));
  }
  void testRunEnded(const Catch::TestRunStats& stats) override {
    const auto& cases = stats.totals.testCases;
    passed = cases.passed + cases.failedButOk;
    failed = cases.failed;
  }

  static inline std::size_t passed = 0;
  static inline std::size_t failed = 0;
  static inline std::vector<std::string> names_of_failed;
};

}  // namespace

CATCH_REGISTER_LISTENER(verdict)

int main(int argc, char** argv) {
  Catch::Session session;
#if CATCH_VERSION_MAJOR > 2
  session.configData().allowZeroTests = true;  // a filter may leave this program nothing, as in version 2
#endif
  const int result = session.run(argc, argv);
  for (const std::string& name : verdict::names_of_failed) std::printf("failed: %s\n", name.c_str());
  std::printf("%zu passed, %zu failed\n", verdict::passed, verdict::failed);
  return result;
}
