// All pairs: the shortest paths between all nodes of a graph, whose matrix is cut into blocks, an actor each. At each
// step a block tells its distances to all others of its row and of its column. Savina 25.
#include "savina/tact.hpp"
#include "savina/all_pairs/block.hpp"

namespace bench {
namespace {

struct start {};
struct known {
  std::uint32_t from;
  std::uint32_t steps;
  distances data;
};

class block;
using blocks = std::vector<tact::ref<block>>;

class block : public tact::actor<block, start, known> {
 public:
  block(const all_pairs_setting& setting, std::uint32_t number, const blocks& all, block_record& record)
      : state_(setting, number), number_(number), all_(&all), record_(&record) {}
  tact::allocation receive(tact::self<block>& self, const start&) {
    started_ = true;
    tell(self);
    return go_on(self);
  }
  tact::allocation receive(tact::self<block>& self, known& m) {
    ++record_->heard;
    state_.keep(m.from, m.steps, std::move(m.data));
    return go_on(self);
  }

 private:
  void tell(tact::self<block>& self) {
    state_.for_neighbours([&](std::size_t to) {
      self.send((*all_)[to], known{number_, state_.steps(), state_.mine()});
    });
  }
  // A block that has started may have told it before its own start.
  tact::allocation go_on(tact::self<block>& self) {
    while (started_ && state_.step()) {
      tell(self);
      if (!state_.is_done()) continue;
      record_->result = state_.mine();
      return tact::allocation::delete_;
    }
    return tact::allocation::nodelete;
  }

  block_state state_;
  std::uint32_t number_;
  bool started_ = false;
  const blocks* all_;
  block_record* record_;
};

struct all_pairs {
  explicit all_pairs(savina_parameters& p) : setting(p), records(setting.blocks()) {}

  std::uint64_t run(tact::engine& engine) {
    blocks all(records.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = engine.spawn<block>(setting, i, all, records[i]);
    for (const auto to : all) engine.send(to, start{});
    engine.wait_finished();
    return all.size() + heard(records);
  }
  void check(program& p, const tact::statistics& s) const {
    p.check_equal(heard(records) + s.dead_letters, setting.messages(), "messages between blocks");
    check_blocks(p, setting, records);
  }

  all_pairs_setting setting;
  std::vector<block_record> records;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::all_pairs>(argc, argv, "All pairs: shortest paths, block by block (Savina 25).");
}
