#include "analyst.hpp"

#include <memory>

#include "measure.hpp"

namespace loudness {

tact::behavior<analyst> make_analyst(tact::ref<next_file> agenda, tact::ref<shared_result> results,
                                     tact::ref<work_done> progress) {
  return {[=](tact::self<analyst>& self, const candidate& m) {
    const auto measured = std::make_shared<const result>(measure_or_explain(m.path));
    self.send(results, measured);
    self.send(progress, work_done{m.bytes, !measured->figures});
    self.send(agenda, next_file{self.ref()});
  }};
}

}  // namespace loudness
