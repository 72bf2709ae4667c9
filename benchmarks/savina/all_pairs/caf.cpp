// All pairs on CAF.
#include "savina/caf.hpp"
#include "savina/all_pairs/block.hpp"

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(bench::distances)

namespace bench {
namespace {

using blocks = std::vector<caf::actor>;

using start = caf::atom_constant<caf::atom("start")>;
using known = caf::atom_constant<caf::atom("known")>;

class block : public caf::event_based_actor {
 public:
  block(caf::actor_config& config, const all_pairs_setting& setting, std::uint32_t number, const blocks& all,
        block_record& record)
      : event_based_actor(config), state_(setting, number), number_(number), all_(&all), record_(&record) {}
  caf::behavior make_behavior() override {
    return {
        [this](start) {
          started_ = true;
          tell();
          go_on();
        },
        [this](known, std::uint32_t from, std::uint32_t steps, const distances& data) {
          ++record_->heard;
          state_.keep(from, steps, data);
          go_on();
        },
    };
  }

 private:
  void tell() {
    const auto message = caf::make_message(known::value, number_, state_.steps(), state_.mine());
    state_.for_neighbours([&](std::size_t to) { send((*all_)[to], message); });
  }
  void go_on() {
    while (started_ && state_.step()) {
      tell();
      if (!state_.is_done()) continue;
      record_->result = state_.mine();
      return quit();
    }
  }

  block_state state_;
  std::uint32_t number_;
  bool started_ = false;
  const blocks* all_;
  block_record* record_;
};

struct all_pairs {
  explicit all_pairs(savina_parameters& p) : setting(p), records(setting.blocks()) {}

  std::uint64_t run(caf::actor_system& system) {
    blocks all(records.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      all[i] = system.spawn<block, caf::lazy_init>(std::cref(setting), i, std::cref(all), std::ref(records[i]));
    }
    for (const auto& to : all) caf::anon_send(to, start::value);
    system.await_all_actors_done();
    return all.size() + heard(records);
  }
  void check(program& p) const { check_blocks(p, setting, records); }

  all_pairs_setting setting;
  std::vector<block_record> records;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_caf<bench::all_pairs>(argc, argv, "All pairs: shortest paths, block by block (Savina 25).");
}
