// The main function of every Catch2 test program. Ends with the line "N passed, N failed", counted in test cases.
#define CATCH_CONFIG_RUNNER
#include "support/catch.hpp"

#include <cstdio>

#if CATCH_VERSION_MAJOR == 2
using listener_base = Catch::TestEventListenerBase;
#else
using listener_base = Catch::EventListenerBase;
#endif

namespace {

class verdict : public listener_base {
 public:
  using listener_base::listener_base;

  void testRunEnded(const Catch::TestRunStats& stats) override {
    const auto& cases = stats.totals.testCases;
    passed = cases.passed + cases.failedButOk;
    failed = cases.failed;
  }

  static inline std::size_t passed = 0;
  static inline std::size_t failed = 0;
};

}  // namespace

CATCH_REGISTER_LISTENER(verdict)

int main(int argc, char** argv) {
  Catch::Session session;
#if CATCH_VERSION_MAJOR > 2
  session.configData().allowZeroTests = true;  // a filter may leave this program nothing, as in version 2
#endif
  const int result = session.run(argc, argv);
  std::printf("%zu passed, %zu failed\n", verdict::passed, verdict::failed);
  return result;
}
