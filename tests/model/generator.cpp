#include "model/generator.hpp"

#include <rapidcheck.h>

#include <algorithm>

namespace tact::model {

namespace {

namespace gen = rc::gen;
using weights = std::initializer_list<std::pair<std::size_t, verb>>;

// Whatever the size of what it is a part of.
rc::Gen<unsigned> below(unsigned first, unsigned end) {
  return gen::resize(rc::kNominalSize, gen::inRange(first, end));
}

rc::Gen<act> acts(weights w) {
  using std::pair;
  return gen::build<act>(
      gen::set(&act::what, gen::weightedElement<verb>(w)),
      gen::set(&act::kind, gen::element(letter::nudge, letter::note, letter::parcel, letter::crate)),
      gen::set(&act::to,
               gen::weightedElement<whom>({pair{std::size_t{8}, whom::founder}, pair{std::size_t{2}, whom::self},
                                           pair{std::size_t{4}, whom::child}, pair{std::size_t{3}, whom::introduced},
                                           pair{std::size_t{1}, whom::nobody}})),
      gen::set(&act::number, below(0U, 6U)), gen::set(&act::times, below(1U, 6U)),
      gen::set(&act::spread, gen::weightedElement<bool>({pair{std::size_t{4}, false}, pair{std::size_t{1}, true}})),
      gen::set(&act::where,
               gen::element(place::parallel, place::parallel, place::ordered, place::classic, place::heavy)),
      gen::set(&act::who, gen::element(listener::beta, listener::deaf_beta, listener::self)));
}

rc::Gen<rule> rules(weights w) { return gen::resize(5, gen::container<rule>(acts(w))); }

rc::Gen<rule> rules_of_messages() {
  return rules({{48, verb::send},
                {10, verb::create},
                {32, verb::become},
                {2, verb::forward},
                {1, verb::nothing},
                {1, verb::stop},
                {4, verb::fail},
                {4, verb::discard},
                {12, verb::on_commit},
                {14, verb::ask},
                {4, verb::release},
                {24, verb::spin}});
}
rc::Gen<rule> rules_of_queries() {
  return rules({{20, verb::reply},
                {6, verb::pass_on},
                {6, verb::defer},
                {2, verb::release},
                {6, verb::become},
                {1, verb::stop},
                {2, verb::fail},
                {2, verb::discard},
                {4, verb::send},
                {2, verb::ask},
                {2, verb::spin}});
}

rc::Gen<script> scripts() {
  const auto filled = [](const std::vector<rule>& messages, rule queries) {
    script s;
    std::copy_n(messages.begin(), std::min<std::size_t>(messages.size(), letters), s.rules.begin());
    s.rules[static_cast<unsigned>(letter::query)] = std::move(queries);
    return s;
  };
  return gen::apply(filled, gen::container<std::vector<rule>>(letters, rules_of_messages()), rules_of_queries());
}

rc::Gen<founder_plan> founders() {
  using std::pair;
  return gen::build<founder_plan>(
      gen::set(&founder_plan::where,
               gen::weightedElement<place>({pair{std::size_t{8}, place::parallel}, pair{std::size_t{4}, place::ordered},
                                            pair{std::size_t{4}, place::classic}, pair{std::size_t{2}, place::heavy},
                                            pair{std::size_t{1}, place::blocking}})),
      gen::set(&founder_plan::script, below(0U, 4U)));
}

rc::Gen<outside_act> outside_acts() {
  using outside = outside_act::sort;
  using std::pair;
  return gen::build<outside_act>(
      gen::set(&outside_act::what,
               gen::weightedElement<outside>({pair{std::size_t{24}, outside::send}, pair{std::size_t{4}, outside::ask},
                                              pair{std::size_t{1}, outside::pill}})),
      gen::set(&outside_act::kind, gen::element(letter::nudge, letter::note, letter::parcel, letter::crate)),
      gen::set(&outside_act::to, below(0U, 6U)), gen::set(&outside_act::fuel, below(0U, 80U)),
      gen::set(&outside_act::spread,
               gen::weightedElement<bool>({pair{std::size_t{3}, false}, pair{std::size_t{1}, true}})));
}

rc::Gen<settings> options(unsigned workers) {
  using std::pair;
  return gen::build<settings>(
      gen::set(&settings::workers, gen::just(workers)), gen::set(&settings::shards, gen::element(0U, 0U, 1U, 3U, 16U)),
      gen::set(&settings::joint_holds,
               gen::weightedElement<bool>({pair{std::size_t{3}, true}, pair{std::size_t{1}, false}})),
      gen::set(&settings::collisions_max, below(1U, 8U)), gen::set(&settings::victims, below(0U, 4U)),
      gen::set(&settings::transactional_ends,
               gen::weightedElement<bool>({pair{std::size_t{5}, false}, pair{std::size_t{1}, true}})),
      gen::set(&settings::classic_ends, gen::element(true, false)));
}

rc::Gen<program> programs(unsigned workers) {
  return gen::build<program>(
      gen::set(&program::how, options(workers)),
      gen::set(&program::scripts, gen::resize(4, gen::container<std::vector<script>>(scripts()))),
      gen::set(&program::founders, gen::resize(5, gen::container<std::vector<founder_plan>>(founders()))),
      gen::set(&program::threads, gen::resize(3, gen::container<std::vector<std::vector<outside_act>>>(gen::resize(
                                                     16, gen::container<std::vector<outside_act>>(outside_acts()))))));
}

rc::Shrinkable<program> shrinkable_of(std::uint64_t seed, unsigned workers) {
  return programs(workers)(rc::Random(seed), rc::kNominalSize);
}

}  // namespace

program program_of(std::uint64_t seed, unsigned workers) { return shrinkable_of(seed, workers).value(); }

program shrunk(std::uint64_t seed, unsigned workers, const std::function<bool(const program&)>& is_bad) {
  return rc::shrinkable::findLocalMin(shrinkable_of(seed, workers), is_bad).first;
}

}  // namespace tact::model
