#include "model/program.hpp"

#include <iterator>

namespace tact::model {

namespace {

std::string target(const act& a) {
  switch (a.to) {
    case whom::founder:
      return "founder[" + std::to_string(a.number) + "]";
    case whom::self:
      return "self.ref()";
    case whom::child:
      return "child";
    case whom::introduced:
      return "m.introduced";
    case whom::nobody:
      break;
  }
  return "nobody";
}

const char* listening(listener l) {
  constexpr const char* texts[] = {"self.beta(answered, failed)", "self.beta(answered)", "self.ref()"};
  return texts[static_cast<unsigned>(l)];
}

std::string sending(const act& a) {
  const std::string one = "self.send(" + target(a) + ", " + text_of(a.kind) + "{}" + (a.spread ? ", spread)" : ")");
  return a.times == 1 ? one : "for (" + std::to_string(a.times) + " times) " + one;
}

std::string call_of(const act& a) {
  const std::string script = "script_" + std::to_string(a.number);
  switch (a.what) {
    case verb::send:
      return sending(a);
    case verb::create:
      return std::string("child = self.create(") + script + ", " + text_of(a.where) + ")";
    case verb::become:
      return "self.become(" + script + ")";
    case verb::forward:
      return "self.become(forwarder(" + target(a) + "))";
    case verb::nothing:
      return "self.become({})";
    case verb::stop:
      return "self.stop()";
    case verb::fail:
      return "throw std::runtime_error(run)";
    case verb::discard:
      return "self.discard()";
    case verb::on_commit:
      return "self.on_commit([=] { log(committed); })";
    case verb::ask:
      return "self.send(" + target(a) + ", request<query>{" + listening(a.who) + "})";
    case verb::reply:
      return "self.reply(m, answer{})";
    case verb::pass_on:
      return "self.send(" + target(a) + ", m)";
    case verb::defer:
      return "self.defer(m), self.become(kept + m)";
    case verb::release:
      return "for (auto& r : kept) self.reply(r, answer{}); self.become(kept = {})";
    case verb::spin:
      break;
  }
  return "spin(" + std::to_string(a.times) + ")";
}

std::string definition_of(const script& s, unsigned number) {
  std::string out = "behavior<node> script_" + std::to_string(number) + "() {\n  return {\n";
  for (unsigned k = 0; k < letters; ++k) {
    if (s.rules[k].empty()) continue;
    out += std::string("      [=](auto& self, const ") + text_of(static_cast<letter>(k)) + "& m) {\n";
    for (const act& a : s.rules[k]) out += "        " + call_of(a) + ";\n";
    out += "      },\n";
  }
  return out + "      [](auto&, const auto&) {}};\n}\n";
}

std::string options_of(const settings& s) {
  constexpr const char* victims[] = {"longest_victim", "random_victim", "no_victim", "nearest_victim"};
  std::string out = "workers = " + std::to_string(s.workers) + ", shards = " + std::to_string(s.shards);
  out += std::string(", joint_holds = ") + (s.joint_holds ? "true" : "false");
  out += ", collisions_max = " + std::to_string(s.collisions_max) +
         ", victims = " + victims[s.victims % std::size(victims)];
  out += std::string(", transactional_failure = ") + (s.transactional_ends ? "end" : "go_on");
  return out + ", classic_failure = " + (s.classic_ends ? "end" : "go_on");
}

std::string call_of(const outside_act& a) {
  const std::string to = "founder[" + std::to_string(a.to) + "]";
  if (a.what == outside_act::sort::cancel) return "engine.cancel()";
  if (a.what == outside_act::sort::pill) return "engine.send(" + to + ", finished_msg)";
  const std::string fuel = "{.fuel = " + std::to_string(a.fuel) + "}";
  if (a.what == outside_act::sort::ask) return "engine.ask(" + to + ", query" + fuel + ")";
  return "engine.send(" + to + ", " + text_of(a.kind) + fuel + (a.spread ? ", spread)" : ")");
}

}  // namespace

const char* text_of(letter l) noexcept {
  constexpr const char* texts[] = {"nudge", "note", "parcel", "crate", "request<query>", "answer", "tact::failure"};
  static_assert(std::size(texts) == letters);
  return texts[static_cast<unsigned>(l)];
}

const char* text_of(place p) noexcept {
  constexpr const char* texts[] = {"parallel", "ordered", "classic", "heavy", "blocking"};
  return texts[static_cast<unsigned>(p)];
}

std::string text_of(const program& p) {
  std::string out = "engine_options: " + options_of(p.how) + "\n";
  for (unsigned i = 0; i < p.scripts.size(); ++i) out += definition_of(p.scripts[i], i);
  for (unsigned i = 0; i < p.founders.size(); ++i) {
    const founder_plan& f = p.founders[i];
    out += "founder[" + std::to_string(i) + "] = engine.create(script_" + std::to_string(f.script) + "(), " +
           text_of(f.where) + ");\n";
  }
  for (unsigned t = 0; t < p.threads.size(); ++t) {
    out += "std::thread thread_" + std::to_string(t + 1) + "([&] {\n";
    for (const outside_act& a : p.threads[t]) out += "  " + call_of(a) + ";\n";
    out += "});\n";
  }
  return out;
}

}  // namespace tact::model
