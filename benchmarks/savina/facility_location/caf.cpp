// Facility location on CAF.
#include <array>

#include "savina/caf.hpp"
#include "savina/facility_location/region.hpp"

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(bench::point)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(bench::tally)

namespace bench {
namespace {

using start = caf::atom_constant<caf::atom("start")>;
using next_customer = caf::atom_constant<caf::atom("next")>;
using customer = caf::atom_constant<caf::atom("customer")>;
using opened_below = caf::atom_constant<caf::atom("below")>;
using opened_elsewhere = caf::atom_constant<caf::atom("elsewhere")>;
using request_end = caf::atom_constant<caf::atom("request")>;
using confirm_end = caf::atom_constant<caf::atom("confirm")>;

class quadrant : public caf::event_based_actor {
 public:
  quadrant(caf::actor_config& config, caf::actor parent, std::size_t number, region mine, tally* result)
      : event_based_actor(config),
        parent_(std::move(parent)),
        number_(number),
        mine_(std::move(mine)),
        result_(result) {}
  caf::behavior make_behavior() override {
    return {
        [this](customer, const caf::actor& producer, point at) { add(producer, at); },
        [this](opened_below, std::size_t from, point facility) {
          learn(facility);
          tell_parent(facility);
          tell(children_[region::opposite(from)], facility);
        },
        [this](opened_elsewhere, point facility) {
          learn(facility);
          if (!is_open()) return;
          for (const auto& child : children_) tell(child, facility);
        },
        [this](request_end) {
          if (!is_open()) return finish();
          for (const auto& child : children_) send(child, request_end::value);
        },
        [this](confirm_end, const tally& all) {
          all_ += all;
          if (--unconfirmed_ == 0) finish();
        },
    };
  }
  // Parents and children keep each other alive.
  void on_exit() override {
    parent_ = nullptr;
    children_.fill(nullptr);
  }

 private:
  [[nodiscard]] bool is_open() const { return static_cast<bool>(children_[0]); }
  void add(const caf::actor& producer, point at) {
    ++all_.hops;
    if (is_open()) {
      send(children_[mine_.quadrant_of(at)], customer::value, producer, at);
    } else if (mine_.add(at)) {
      open();
    }
    if (!parent_) send(producer, next_customer::value);
  }
  void open() {
    ++all_.opened;
    tell_parent(mine_.centre());
    for (std::size_t i = 0; i < children_.size(); ++i) {
      children_[i] = spawn<quadrant>(caf::actor(this), i, region(mine_, i), result_);
    }
    mine_.open();
  }
  void learn(point facility) {
    ++all_.news_heard;
    mine_.learn(facility);
  }
  void tell_parent(point facility) {
    if (!parent_) return;
    ++all_.news;
    send(parent_, opened_below::value, number_, facility);
  }
  void tell(const caf::actor& child, point facility) {
    ++all_.news;
    send(child, opened_elsewhere::value, facility);
  }
  void finish() {
    all_ += {.depth = mine_.depth(), .customers = mine_.customers()};
    if (parent_) {
      send(parent_, confirm_end::value, all_);
    } else {
      *result_ = all_;
    }
    quit();
  }

  caf::actor parent_;
  std::size_t number_;
  region mine_;
  tally all_;
  tally* result_;
  std::array<caf::actor, 4> children_;
  std::size_t unconfirmed_ = children_.size();
};

class producer : public caf::event_based_actor {
 public:
  producer(caf::actor_config& config, const facility_parameters& given, caf::actor root)
      : event_based_actor(config), left_(given.customers), dice_(given.side), root_(std::move(root)) {}
  caf::behavior make_behavior() override {
    return {
        [this](next_customer) {
          if (left_ != 0) return produce();
          send(root_, request_end::value);
          quit();
        },
        [this](start) { produce(); },
    };
  }

 private:
  void produce() {
    --left_;
    send(root_, customer::value, caf::actor(this), dice_.next());
  }

  std::uint64_t left_;
  point_dice dice_;
  caf::actor root_;
};

struct facility_location {
  explicit facility_location(savina_parameters& p) : given(p) {}

  std::uint64_t run(caf::actor_system& system) {
    {
      const auto root = system.spawn<quadrant>(caf::actor(), std::size_t{0}, region(given.side), &found);
      caf::anon_send(system.spawn<producer>(std::cref(given), root), start::value);
    }
    system.await_all_actors_done();
    return given.messages(found);
  }
  void check(program& p) const { given.check(p, found); }

  facility_parameters given;
  tally found;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_caf<bench::facility_location>(
      argc, argv, "Facility location: where many customers are, a facility is opened (Savina 20).");
}
