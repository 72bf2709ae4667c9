// The logistic map, one series after the other.
#include "savina/floor.hpp"
#include "savina/logistic_map/series.hpp"

namespace bench {
namespace {

struct logistic_map {
  explicit logistic_map(savina_parameters& p) : setting(p), records(setting.beginnings()) {}

  std::uint64_t run() {
    for (std::uint64_t i = 0; i < records.size(); ++i) {
      for (; records[i].terms < setting.terms; ++records[i].terms) {
        records[i].last = next_term(logistic_rate(i), records[i].last);
      }
      sum += records[i].last;
    }
    return setting.messages();
  }
  void check(program& p) const { check_logistic_map(p, setting, records, sum); }

  logistic_setting setting;
  std::vector<logistic_record> records;
  double sum = 0;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_without_runtime<bench::logistic_map>(argc, argv, "The logistic map, in turn (Savina 14).");
}
