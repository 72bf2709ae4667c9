// Balance on tact.
#include "programs/balance.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "programs/engine.hpp"

namespace bench {
namespace {

struct visit {
  std::uint32_t from;
};

class dummy : public tact::actor<dummy, visit> {
 public:
  tact::allocation receive(tact::self<dummy>&, const visit&) {
    ++handled;
    return tact::allocation::finished;
  }
  std::uint32_t handled = 0;
};

// On a line of its own: its neighbours may live on other workers.
class alignas(64) member : public tact::actor<member, visit> {
 public:
  void join(balance_setting& setting, std::uint32_t id, const tact::ref<member>* group) {
    setting_ = &setting;
    group_ = group;
    id_ = id;
  }
  tact::allocation receive(tact::self<member>& self, const visit& m) {
    executor_setting& s = setting_->group;
    wrong += !setting_->do_work();
    const bool last = record.received == s.limit;
    record.hear(s, id_, m.from);
    if (last) return tact::allocation::finished;
    self.send(group_[record.sent % s.set], visit{id_ % s.set});
    ++record.sent;
    return tact::allocation::nodelete;
  }
  executor_record record;
  std::uint64_t wrong = 0;

 private:
  balance_setting* setting_ = nullptr;
  const tact::ref<member>* group_ = nullptr;
  std::uint32_t id_ = 0;
};

// Without stealing all the real work stays where it was placed; with it, and work for long enough, it does not.
void check_stealing(program& p, const tact::engine& engine, const tact::engine_options& options,
                    const balance_setting& setting) {
  const auto workers = engine.worker_statistics();
  if (options.victims == nullptr) {
    const std::uint64_t stolen = engine.statistics().shards_stolen;
    p.check_equal(stolen, 0, "shards stolen without stealing");
    // Which worker is dealt the first actor is the engine's affair: the loaded ones are those that did most.
    std::vector<std::uint64_t> handled;
    for (const auto& w : workers) handled.push_back(w.commits);
    std::sort(handled.begin(), handled.end());
    const auto loaded = setting.one ? 1 : static_cast<std::ptrdiff_t>((workers.size() + 1) / 2);
    const std::uint64_t elsewhere = std::accumulate(handled.begin(), handled.end() - loaded, std::uint64_t{0});
    p.check_equal(elsewhere > setting.dummies(), false, "real work handled where none was placed");
  } else if (!p.tiny() && workers.size() > 1) {
    p.check_equal(engine.statistics().messages_stolen == 0, false, "no message was stolen");
  }
}

int run(program& p) {
  balance_setting setting(p);
  p.require(setting.group.batch == 1, "here --batch is 1");
  auto options = read_engine_options(p);
  p.ready();
  p.require(options.shards % p.threads() == 0, "--shards is a multiple of --threads: actors are placed by it");

  std::vector<member> members(setting.group.actors);
  std::vector<dummy> dummies(setting.dummies());
  std::vector<tact::ref<member>> refs(members.size());
  std::vector<tact::ref<visit>> all;  // in the order of the slots
  all.reserve(setting.slots());
  tact::engine engine(options);
  for (std::uint32_t slot = 0, next_dummy = 0; slot < setting.slots(); ++slot) {
    if (setting.is_real(slot)) {
      const std::uint32_t id = setting.id_of(slot);
      members[id].join(setting, id, &refs[id - id % setting.group.set]);
      all.emplace_back(refs[id] = engine.attach(members[id]));
    } else {
      all.emplace_back(engine.attach(dummies[next_dummy++]));
    }
  }

  stopwatch watch;
  for (const auto to : all) engine.send(to, visit{executor_record::from_main});
  engine.wait_finished();
  watch.stop();

  for (std::uint32_t id = 0; id < members.size(); ++id) {
    check_executor(p, setting.group, id, members[id].record);
    p.check_equal(members[id].wrong, 0, "work that came out wrong");
  }
  for (const dummy& d : dummies) p.check_equal(d.handled, 1, "messages handled by a dummy");
  check_engine(p, engine, setting.messages());
  check_stealing(p, engine, options, setting);
  return p.report(watch, setting.messages());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Balance: all the work is placed on one worker, or on every other one.",
                   bench::tact_runtime);
  return bench::run(p);
}
