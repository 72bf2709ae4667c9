// The live page of a program that was built beside tact-inspect: docs/inspect/live_page.md.
#pragma once

#include <iostream>
#include <stdexcept>
#include <string>

#include <tact/tact.hpp>
#ifdef HAS_TACT_INSPECT
#include <tact/inspect/live_page.hpp>
#endif

namespace examples {

#ifdef HAS_TACT_INSPECT

// Says where the page is. The work begins, and the page ends, when Enter is pressed, so that a short run can be seen.
class inspected {
 public:
  explicit inspected(tact::engine& engine) : recorder_(engine), page_(engine, recorder_, {.allow_control = true}) {
    wait_for_enter("look at " + page_.url() + ", then press Enter to begin");
  }
  ~inspected() { wait_for_enter("done; press Enter to end the page"); }
  inspected(const inspected&) = delete;
  inspected& operator=(const inspected&) = delete;

 private:
  static void wait_for_enter(const std::string& text) {
    std::cerr << text << std::endl;
    std::string line;
    std::getline(std::cin, line);
  }

  tact::inspect::recorder recorder_;
  tact::inspect::live_page page_;
};

#else

class inspected {
 public:
  explicit inspected(tact::engine&) {
    throw std::invalid_argument(
        "--inspect: this program was built without tact-inspect; build it with -Dinspect=enabled");
  }
};

#endif

}  // namespace examples
