// Facility location on one thread: all nodes have heard of a new facility before the next customer comes. Savina 20.
#include <array>
#include <memory>

#include "savina/facility_location/region.hpp"
#include "savina/floor.hpp"

namespace bench {
namespace {

class quadrant {
 public:
  quadrant(quadrant* parent, std::size_t number, region mine, tally& all)
      : parent_(parent), number_(number), mine_(std::move(mine)), all_(&all) {}

  void add(point p) {
    ++all_->hops;
    if (is_open()) return children_[mine_.quadrant_of(p)]->add(p);
    if (mine_.add(p)) open();
  }
  void count() const {
    *all_ += {.depth = mine_.depth(), .customers = mine_.customers()};
    if (!is_open()) return;
    for (const auto& child : children_) child->count();
  }

 private:
  [[nodiscard]] bool is_open() const { return children_[0] != nullptr; }
  void open() {
    ++all_->opened;
    if (parent_ != nullptr) parent_->hear_from_below(number_, mine_.centre());
    for (std::size_t i = 0; i < children_.size(); ++i) {
      children_[i] = std::make_unique<quadrant>(this, i, region(mine_, i), *all_);
    }
    mine_.open();
  }
  void hear_from_below(std::size_t from, point facility) {
    learn(facility);
    if (parent_ != nullptr) parent_->hear_from_below(number_, facility);
    children_[region::opposite(from)]->hear_from_above(facility);
  }
  void hear_from_above(point facility) {
    learn(facility);
    if (!is_open()) return;
    for (const auto& child : children_) child->hear_from_above(facility);
  }
  void learn(point facility) {
    ++all_->news;
    ++all_->news_heard;
    mine_.learn(facility);
  }

  quadrant* parent_;
  std::size_t number_;
  region mine_;
  tally* all_;
  std::array<std::unique_ptr<quadrant>, 4> children_;
};

struct facility_location {
  explicit facility_location(savina_parameters& p) : given(p) {}

  std::uint64_t run() {
    point_dice dice(given.side);
    quadrant root(nullptr, 0, region(given.side), found);
    for (std::uint64_t i = 0; i < given.customers; ++i) root.add(dice.next());
    root.count();
    return given.messages(found);
  }
  void check(program& p) const {
    given.check(p, found);
    struct known {
      std::uint64_t customers;
      std::uint64_t opened;
    };
    for (const known k : {known{1'000, 8}, known{10'000, 11}, known{100'000, 14}, known{200'000, 14}}) {
      if (given.customers == k.customers) p.check_equal(found.opened, k.opened, "facilities opened");
    }
    if (given.customers == 100'000) p.check_equal(found.depth, 14, "depth of the smallest region");
  }

  facility_parameters given;
  tally found;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_without_runtime<bench::facility_location>(
      argc, argv, "Facility location: where many customers are, a facility is opened (Savina 20).");
}
