// A program that names neither std nor tact before each name: tact/tact.hpp has no name of the standard library's
// containers.
#include <map>
#include <queue>
#include <set>
#include <vector>

#include "tact/tact.hpp"

namespace {

using namespace std;   // NOLINT
using namespace tact;  // NOLINT

[[maybe_unused]] size_t entries(const map<int, set<int>>& m, const vector<int>& v, const queue<int>& q) {
  return m.size() + v.size() + q.size();
}

}  // namespace
