// The names of earlier versions: each still means what its new name does.
#include <catch2/catch.hpp>
#include <type_traits>

#include "tact/patterns.hpp"
#include "tact/tact.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace old_names_test {

namespace {

struct word {};
struct question {
  using reply = int;
};

template <class... Pairs>
struct all_same;
template <>
struct all_same<> : std::true_type {};
template <class A, class B, class... Rest>
struct all_same<A, B, Rest...> : std::bool_constant<std::is_same_v<A, B> && all_same<Rest...>::value> {};

static_assert(
    all_same<tact::throttled<word>, tact::throttle_protocol<word>, tact::pacing<word>, tact::paced_protocol<word>,
             tact::suspension<word>, tact::suspendable_protocol<word>, tact::in_states<word>,
             tact::state_machine_protocol<word>, tact::branched<int>, tact::choices_for_each_protocol<int>,
             tact::cached<question>, tact::cache_protocol<question>, tact::breaking<question>,
             tact::circuit_breaker_protocol<question>, tact::counting, tact::counter_protocol, tact::debounced<word>,
             tact::debounce_protocol<word>, tact::deferred_value<int>, tact::eventual_protocol<int>, tact::recording,
             tact::histogram_protocol, tact::closed_when_idle<question>, tact::idle_close_protocol<question>,
             tact::membraned<word>, tact::membrane_protocol<word>, tact::observed<int>, tact::observable_protocol<int>,
             tact::pooled<question>, tact::pool_protocol<question>, tact::grouped<word>,
             tact::process_group_protocol<word>, tact::gated<word>, tact::opening_gate_protocol<word>,
             tact::read_write_locked, tact::read_write_lock_protocol, tact::naming, tact::registry_protocol,
             tact::resequenced<word>, tact::resequencer_protocol<word>, tact::retried<question>,
             tact::retry_protocol<question>, tact::routed<word>, tact::router_protocol<word>,
             tact::scattering<question>, tact::scatter_gather_protocol<question>, tact::staged<word>,
             tact::stage_protocol<word>, tact::ticketed, tact::ticket_office_protocol, tact::published<word>,
             tact::topic_protocol<word>, tact::work_queued<word>, tact::work_queue_protocol<word>,
             tact::serialized<question>, tact::serializer_protocol<question>, tact::put<word>, tact::put_item<word>,
             tact::news<word>, tact::paced_message<word>, tact::missed<word>, tact::missed_messages<word>,
             tact::paced_news<word>, tact::paced_reader<word>, tact::gap, tact::sequence_gap, tact::lease,
             tact::ticket_lease, tact::suspend, tact::suspend_delivery, tact::resume, tact::resume_delivery,
             tact::subscribe<int>, tact::subscribe_observable<int>, tact::unsubscribe<int>,
             tact::unsubscribe_observable<int>, tact::changed<int>, tact::value_changed<int>, tact::batch<question>,
             tact::query_batch<question>, tact::work<word>, tact::queued_work<word>, tact::on, tact::on_loop,
             tact::piped<question, int>, tact::to_pipe<question, int>>::value);

}  // namespace

TEST_CASE("old names: functions of earlier versions make the parts of their new names", "[api]") {
  tact::engine engine;
  const auto to = engine.create(tact::sink<word>());
  const tact::behavior<tact::opening_gate_protocol<word>> gate = tact::rate_gate(to, std::chrono::seconds(1));
  const auto marked = engine.create(tact::sink<tact::labelled<int, word>>());
  const tact::behavior<word> with_label = tact::label<word>(marked, 7);
  const auto source = engine.create(tact::choices_between(1, 2));
  const auto doubled = engine.create(tact::and_then(source, [](int n) { return std::vector{n * 2}; }));
  CHECK(engine.ask(doubled, tact::next_solution<int>{}) == 2);
  CHECK(std::is_same_v<decltype(tact::first<word>), decltype(tact::handled_first<word>)>);
}

}  // namespace old_names_test

#pragma GCC diagnostic pop
