// Facility location: a tree of regions; one whose customers have too far a way opens a facility, and four quadrants.
// Savina 20.
#include <array>

#include "savina/facility_location/region.hpp"
#include "savina/tact.hpp"

namespace bench {
namespace {

class quadrant;

struct start {};
struct next_customer {};
struct customer {
  tact::ref<next_customer> producer;
  point at;
};
struct opened_below {
  std::size_t quadrant;
  point facility;
};
struct opened_elsewhere {
  point facility;
};
struct request_end {};
struct confirm_end {
  tally all;
};

class quadrant : public tact::actor<quadrant, customer, opened_below, opened_elsewhere, request_end, confirm_end> {
 public:
  quadrant(tact::ref<quadrant> parent, std::size_t number, region mine, tally* result)
      : parent_(parent), number_(number), mine_(std::move(mine)), result_(result) {}
  void receive(tact::self<quadrant>& self, const customer& m) {
    ++all_.hops;
    if (is_open()) {
      self.send(children_[mine_.quadrant_of(m.at)], m);
    } else if (mine_.add(m.at)) {
      open(self);
    }
    if (!parent_) self.send(m.producer, next_customer{});
  }
  void receive(tact::self<quadrant>& self, const opened_below& m) {
    learn(m.facility);
    tell_parent(self, m.facility);
    tell(self, children_[region::opposite(m.quadrant)], m.facility);
  }
  void receive(tact::self<quadrant>& self, const opened_elsewhere& m) {
    learn(m.facility);
    if (!is_open()) return;
    for (const auto child : children_) tell(self, child, m.facility);
  }
  tact::allocation receive(tact::self<quadrant>& self, const request_end& m) {
    if (!is_open()) return finish(self);
    for (const auto child : children_) self.send(child, m);
    return tact::allocation::nodelete;
  }
  tact::allocation receive(tact::self<quadrant>& self, const confirm_end& m) {
    all_ += m.all;
    return --unconfirmed_ == 0 ? finish(self) : tact::allocation::nodelete;
  }

 private:
  [[nodiscard]] bool is_open() const { return static_cast<bool>(children_[0]); }
  void open(tact::self<quadrant>& self) {
    ++all_.opened;
    tell_parent(self, mine_.centre());
    for (std::size_t i = 0; i < children_.size(); ++i) {
      children_[i] = self.spawn<quadrant>(self.ref(), i, region(mine_, i), result_);
    }
    mine_.open();
  }
  void learn(point facility) {
    ++all_.news_heard;
    mine_.learn(facility);
  }
  void tell_parent(tact::self<quadrant>& self, point facility) {
    if (!parent_) return;
    ++all_.news;
    self.send(parent_, opened_below{number_, facility});
  }
  // A child may have ended, and then not hear it.
  void tell(tact::self<quadrant>& self, tact::ref<quadrant> child, point facility) {
    ++all_.news;
    self.send(child, opened_elsewhere{facility});
  }
  tact::allocation finish(tact::self<quadrant>& self) {
    all_ += {.depth = mine_.depth(), .customers = mine_.customers()};
    if (parent_) {
      self.send(parent_, confirm_end{all_});
    } else {
      *result_ = all_;
    }
    return tact::allocation::delete_;
  }

  tact::ref<quadrant> parent_;
  std::size_t number_;
  region mine_;
  tally all_;
  tally* result_;
  std::array<tact::ref<quadrant>, 4> children_;
  std::size_t unconfirmed_ = children_.size();
};

class producer : public tact::actor<producer, start, next_customer> {
 public:
  producer(const facility_parameters& given, tact::ref<quadrant> root)
      : left_(given.customers), dice_(given.side), root_(root) {}
  void receive(tact::self<producer>& self, const start&) { produce(self); }
  tact::allocation receive(tact::self<producer>& self, const next_customer&) {
    if (left_ != 0) {
      produce(self);
      return tact::allocation::nodelete;
    }
    self.send(root_, request_end{});
    return tact::allocation::delete_;
  }

 private:
  void produce(tact::self<producer>& self) {
    --left_;
    self.send(root_, customer{self.ref(), dice_.next()});
  }

  std::uint64_t left_;
  point_dice dice_;
  tact::ref<quadrant> root_;
};

struct facility_location {
  explicit facility_location(savina_parameters& p) : given(p) {}

  std::uint64_t run(tact::engine& engine) {
    const auto root = engine.spawn<quadrant>(tact::ref<quadrant>{}, std::size_t{0}, region(given.side), &found);
    engine.send(engine.spawn<producer>(given, root), start{});
    engine.wait_finished();
    return given.messages(found);
  }
  void check(program& p, const tact::statistics& s) const {
    given.check(p, found);
    p.check_equal(s.actors_created, 2 + 4 * found.opened, "actors made");
    p.check_equal(s.dead_letters, found.news - found.news_heard, "news for regions that had ended");
  }

  facility_parameters given;
  tally found;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::facility_location>(
      argc, argv, "Facility location: where many customers are, a facility is opened (Savina 20).");
}
