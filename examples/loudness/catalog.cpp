#include "catalog.hpp"

namespace loudness {

tact::behavior<catalog> make_catalog(result_map known) {
  return {
      [known](tact::self<catalog>& self, const shared_result& m) {
        self.become(make_catalog(known.insert_or_assign(m->path, m)));
      },
      [known](tact::self<catalog>& self, const tact::request<all_results>& m) { self.reply(m, known); },
  };
}

}  // namespace loudness
