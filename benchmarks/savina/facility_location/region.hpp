// A region of the plane with its customers and facilities: what the runtimes of facility location share, and what has
// to come out.
#pragma once

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <numbers>
#include <vector>

#include "savina/parameters.hpp"
#include "savina/random.hpp"

namespace bench {

struct point {
  double x;
  double y;
};

// Most of them are near the origin, none is on an axis.
class point_dice {
 public:
  explicit point_dice(std::uint64_t side) : side_(static_cast<double>(side)) {}
  point next() {
    const double x = dice_.real() * side_;
    return {x, dice_.real() * side_};
  }

 private:
  double side_;
  savina_random dice_;
};

// Its quadrants are numbered: above left, above right, below left, below right.
class region {
 public:
  // From the origin to (side, side).
  explicit region(std::uint64_t side)
      : high_{static_cast<double>(side), static_cast<double>(side)}, threshold_(2 * std::numbers::sqrt2 * high_.x) {
    facilities_.push_back(centre_);
  }
  // A quadrant of another, with the customers that are in it. However many, it is not to be opened before the next.
  region(const region& whole, std::size_t quadrant)
      : low_(whole.low_),
        high_(whole.high_),
        threshold_(whole.threshold_),
        depth_(whole.depth_ + 1),
        facilities_(whole.facilities_) {
    (quadrant % 2 == 0 ? high_.x : low_.x) = whole.centre_.x;
    (quadrant < 2 ? low_.y : high_.y) = whole.centre_.y;
    centre_ = {(low_.x + high_.x) / 2, (low_.y + high_.y) / 2};
    facilities_.push_back(centre_);
    for (const point p : whole.customers_) {
      if (whole.quadrant_of(p) == quadrant) add(p);
    }
  }

  // Is it to be opened now?
  bool add(point p) {
    double least = std::numeric_limits<double>::infinity();
    for (const point f : facilities_) {
      const double x = p.x - f.x;
      const double y = p.y - f.y;
      least = std::min(least, x * x + y * y);
    }
    customers_.push_back(p);
    cost_ += std::sqrt(least);
    return cost_ > threshold_;
  }
  void learn(point facility) { facilities_.push_back(facility); }
  // The customers are those of the quadrants now.
  void open() { customers_ = {}; }

  // Left and lower edges do not belong to a region: each customer is in one quadrant.
  [[nodiscard]] std::size_t quadrant_of(point p) const {
    return (p.y > centre_.y ? 0U : 2U) + (p.x > centre_.x ? 1U : 0U);
  }
  static constexpr std::size_t opposite(std::size_t quadrant) { return 3 - quadrant; }
  [[nodiscard]] point centre() const { return centre_; }
  [[nodiscard]] std::size_t customers() const { return customers_.size(); }
  [[nodiscard]] std::uint64_t depth() const { return depth_; }

 private:
  point low_{0, 0};
  point high_;
  double threshold_;
  std::uint64_t depth_ = 0;
  double cost_ = 0;
  point centre_{high_.x / 2, high_.y / 2};
  std::vector<point> facilities_;  // those that it knows
  std::vector<point> customers_;
};

// What happened in a region, and in all those in it.
struct tally {
  std::uint64_t opened = 0;
  std::uint64_t depth = 0;
  std::uint64_t customers = 0;
  std::uint64_t hops = 0;  // customers that came, or went on to a quadrant
  std::uint64_t news = 0;  // of facilities, sent
  std::uint64_t news_heard = 0;

  tally& operator+=(const tally& t) {
    opened += t.opened;
    depth = std::max(depth, t.depth);
    customers += t.customers;
    hops += t.hops;
    news += t.news;
    news_heard += t.news_heard;
    return *this;
  }
};

struct facility_parameters {
  explicit facility_parameters(savina_parameters& p)
      : customers(p.number("customers", {100'000, 200'000, 300}, "customers")),
        side(p.number("side", {500, 1'000, 10}, "length of a side of the plane")) {}

  // The producer hears the start and is asked for each next customer; each region is told to end, and all but one say
  // what they had.
  [[nodiscard]] std::uint64_t messages(const tally& t) const {
    const std::uint64_t regions = 1 + 4 * t.opened;
    return 1 + customers + t.hops + t.news_heard + 2 * regions - 1;
  }
  void check(program& p, const tally& found) const {
    p.check_equal(found.customers, customers, "customers of all regions");
  }

  std::uint64_t customers;
  std::uint64_t side;
};

}  // namespace bench
