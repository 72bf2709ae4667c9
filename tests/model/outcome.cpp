#include "model/outcome.hpp"

#include <algorithm>

namespace tact::model {

namespace {

using sort = step::sort;

void drop_all(outcome& o) {
  for (const step& s : o.made) o.dropped.push_back(s.made);
  o.made.clear();
  o.next.reset();
  o.ends = false;
}

// Whatever reaches the customer settles the debt, and so does another request for it.
bool settles(const step& s, const address& customer) {
  if (s.what != sort::message) return false;
  return s.to == customer || (s.message.kind == letter::query && s.message.customer == customer);
}

}  // namespace

const step* outcome::find(item i) const noexcept {
  const auto at = std::find_if(made.begin(), made.end(), [i](const step& s) { return s.made == i; });
  return at == made.end() ? nullptr : &*at;
}

outcome outcome_of(const scene& s, const std::vector<step>& steps) {
  outcome o;
  const bool is_query = s.message.kind == letter::query;
  o.owes = is_query;
  for (const step& now : steps) {
    if (is_query && settles(now, s.message.customer)) o.owes = false;
    switch (now.what) {
      case sort::message:
      case sort::create:
      case sort::on_commit:
        o.made.push_back(now);
        break;
      case sort::become:
        o.next = now.next;
        o.ends = false;
        break;
      case sort::end:
        o.next.reset();
        o.ends = true;
        break;
      case sort::defer:
        o.owes = false;
        break;
      case sort::discard:
        drop_all(o);
        o.owes = is_query;
        break;
      case sort::fail:
        drop_all(o);
        o.fails = true;
        o.owes = false;
        return o;
      case sort::spin:
        break;
    }
  }
  return o;
}

}  // namespace tact::model
