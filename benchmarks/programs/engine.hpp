// What the programs on tact share: the engine's options, and its own account of the run.
#pragma once

#include <tact/tact.hpp>

#include <algorithm>
#include <iomanip>
#include <sstream>

#include "programs/program.hpp"

namespace bench {

inline constexpr const char* tact_runtime = "tact";

inline tact::engine_options read_engine_options(program& p) {
  tact::engine_options options;
  options.workers = p.threads();
  // 0 are the engine's eight per worker; one worker needs no more than one.
  const std::uint64_t shards = p.threads() == 1 ? 1 : 0;
  options.shards = static_cast<unsigned>(p.number("shards", shards, shards, "shards of the mailbox", 0, 65'536));
  p.require(options.shards == 0 || options.shards >= p.threads(), "--shards is 0, or at least --threads");
  const std::string victims =
      p.choice("victims", {"nearest", "longest", "random", "none"}, "whom an idle worker steals from");
  if (victims == "longest") options.victims = &tact::longest_victim;
  if (victims == "random") options.victims = &tact::random_victim;
  if (victims == "none") options.victims = tact::no_victim;
  options.workers_rest = p.choice("rest", {"yes", "no"}, "whether workers rest while fewer are faster") == "yes";
  const std::string memory = p.choice("memory", {"local", "interleaved"}, "where pages of actors and messages lie");
  if (memory == "interleaved") options.memory = tact::memory_placement::interleaved;
  if (p.choice("pin", {"no", "yes"}, "whether each worker stays on a processing unit") == "yes")
    options.pin_workers = tact::pinning::on;
  const auto collisions = options.collisions_max;
  options.collisions_max = static_cast<unsigned>(
      p.number("collisions", collisions, collisions, "of a parallel actor, before it goes home", 1, 7));
  return options;
}

// How full the chunks were in which messages went from worker to worker.
inline void say_exchange(program& p, const tact::engine& engine) {
  std::ostringstream text;
  text << std::setprecision(3) << engine.statistics().average_chunk();
  p.say("per_chunk", text.str());
}

// How many of a thousand gulps found that another thread held the shard or office.
inline void say_missed(program& p, const tact::statistics& s) {
  std::ostringstream text;
  text << std::setprecision(3)
       << 1000.0 * static_cast<double>(s.missed_gulps) / static_cast<double>(std::max<std::uint64_t>(s.gulps, 1));
  p.say("missed_per_1000", text.str());
}

// REQUIRES: the engine is idle. Every message was handled once, none was lost, no handler threw.
inline void check_engine(program& p, const tact::engine& engine, std::uint64_t messages) {
  const tact::statistics s = engine.statistics();
  say_missed(p, s);
  p.check_equal(s.messages_sent, messages, "messages sent");
  p.check_equal(s.commits, messages, "messages committed");
  p.check_equal(s.failures, 0, "handlers that threw");
  p.check_equal(s.dead_letters, 0, "dead letters");
}

}  // namespace bench
