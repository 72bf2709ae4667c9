// Envelopes: what the header says, how they move and end.
#include "mailbox/envelope.hpp"

#include <array>
#include <string>

#include "support/catch.hpp"
#include "support/counted.hpp"
#include "tact/detail/message_type.hpp"

namespace envelope_test {

namespace {

using tact::detail::message_type;
using tact::mailbox::envelope;
using tact::mailbox::slot_bytes;
using tact::support::counted;

struct small {
  int number;
};
template <std::size_t Bytes>
struct sized {
  std::array<unsigned char, Bytes> load;
};
struct boxed : counted {
  using counted::counted;
  std::array<char, 100> load{};
};

template <class M>
const message_type& type_of = tact::detail::message_type_of<M>;

struct alignas(slot_bytes) slots {
  std::byte bytes[3 * slot_bytes];
};

}  // namespace

TEST_CASE("envelope: takes one to three slots, as the payload needs", "[mailbox]") {
  CHECK(type_of<sized<1>>.slot_count() == 1);
  CHECK(type_of<sized<16>>.slot_count() == 1);
  CHECK(type_of<sized<17>>.slot_count() == 2);
  CHECK(type_of<sized<48>>.slot_count() == 2);
  CHECK(type_of<sized<49>>.slot_count() == 3);
  CHECK(type_of<sized<80>>.slot_count() == 3);
  CHECK(type_of<sized<81>>.slot_count() == 1);  // boxed
  CHECK(type_of<sized<81>>.indirect);
  CHECK_FALSE(type_of<sized<80>>.indirect);
}

TEST_CASE("envelope: remembers type, target, flags and collisions side by side", "[mailbox]") {
  slots room;
  const tact::detail::port target = 0xABCD'1234'5678'9AFF;
  auto* e = new (room.bytes) envelope(type_of<sized<60>>, target);
  CHECK(&e->type() == &type_of<sized<60>>);
  CHECK(e->target() == target);
  CHECK(e->slots() == 3);
  CHECK(e->message() == e->payload());
  CHECK_FALSE(e->is_special());
  CHECK_FALSE(e->is_forwarded());
  for (unsigned n = 0; n < 7; ++n) {
    CHECK(e->collisions() == n);
    e->add_collision();
  }
  e->set_forwarded();
  CHECK(e->collisions() == 7);
  CHECK(e->is_forwarded());
  CHECK(e->slots() == 3);
  CHECK(&e->type() == &type_of<sized<60>>);
  CHECK(e->target() == target);
  e->end_handled();
}

TEST_CASE("envelope: moves with its payload and all that its header says", "[mailbox]") {
  slots from, to;
  auto* e = new (from.bytes) envelope(type_of<counted>, 77);
  new (e->payload()) counted(5);
  e->set_forwarded();
  e->add_collision();
  e->relocate(to.bytes);
  auto* moved = std::launder(reinterpret_cast<envelope*>(to.bytes));
  CHECK(counted::alive == 1);
  CHECK(static_cast<counted*>(moved->message())->number == 5);
  CHECK(moved->is_forwarded());
  CHECK(moved->collisions() == 1);
  CHECK(moved->target() == 77);
  moved->end_unhandled();
  CHECK(counted::alive == 0);

  auto* s = new (from.bytes) envelope(type_of<small>, 1);
  new (s->payload()) small{9};
  s->relocate(to.bytes);
  CHECK(static_cast<small*>(std::launder(reinterpret_cast<envelope*>(to.bytes))->message())->number == 9);
}

TEST_CASE("envelope: a boxed message stays where it is when its envelope moves", "[mailbox]") {
  slots from, to;
  const message_type* type = nullptr;
  tact::detail::write_message<boxed>(boxed(8), [&](const message_type& t) {
    type = &t;
    return (new (from.bytes) envelope(t, 3))->payload();
  });
  auto* e = std::launder(reinterpret_cast<envelope*>(from.bytes));
  REQUIRE(counted::alive == 1);
  void* const message = e->message();
  CHECK(message != e->payload());
  e->relocate(to.bytes);
  auto* moved = std::launder(reinterpret_cast<envelope*>(to.bytes));
  CHECK(moved->message() == message);
  CHECK(static_cast<boxed*>(message)->number == 8);
  moved->end_handled();
  CHECK(counted::alive == 0);
  CHECK(type == &type_of<boxed>);
}

TEMPLATE_TEST_CASE("envelope: a promised payload stays where it is until it is handed over, and ends once", "[mailbox]",
                   counted, boxed) {
  const message_type& type = type_of<TestType>;
  const bool handed_over = GENERATE(true, false);
  const int before = counted::alive;
  slots here, there;
  const bool with_context = GENERATE(true, false);
  tact::detail::context_node context{.end = [](const tact::detail::context_node&) noexcept {}};
  auto* from = with_context ? new (here.bytes) envelope(type, 5, tact::mailbox::out_of_line_body::make(&context))
                            : new (here.bytes) envelope(type, 5);
  TestType* box = type.indirect ? tact::detail::box<TestType>(7).release() : nullptr;
  if (type.indirect) {
    new (from->payload()) TestType*(box);
  } else {
    new (from->payload()) TestType(7);
  }
  from->add_collision();
  envelope* const to = &from->promise(there.bytes, 6);
  CHECK(from->needs_end());
  CHECK_FALSE(to->needs_end());
  CHECK(to->is_out_of_line() == with_context);
  CHECK(from->slots() == (with_context ? 1 : type.slot_count()));
  if (handed_over) from->hand_over(*to);
  envelope& has_it = handed_over ? *to : *from;
  CHECK(counted::alive == before + 1);
  CHECK(static_cast<TestType*>(has_it.message())->number == 7);
  if (type.indirect) CHECK(has_it.message() == box);
  CHECK((to->target() == 6 && to->collisions() == 0));
  CHECK(from->needs_end() != handed_over);
  from->end_handled();
  CHECK(counted::alive == before + (handed_over ? 1 : 0));
  CHECK(context.holders == (with_context && handed_over ? 2U : 1U));
  handed_over ? to->end_handled() : to->end_unhandled();
  CHECK(counted::alive == before);
  CHECK(context.holders == 1);
}

TEST_CASE("envelope: with a context it is one slot, is not plain, and its payload stays where it is when it moves",
          "[mailbox]") {
  slots from, to;
  const int before = counted::alive;
  tact::detail::context_node context{.end = [](const tact::detail::context_node&) noexcept {}};
  tact::mailbox::out_of_line_body& p = tact::mailbox::out_of_line_body::make(&context);
  auto* e = new (from.bytes) envelope(type_of<counted>, 3, p);
  new (e->payload()) counted(9);
  CHECK_FALSE(e->is_plain());
  CHECK(e->slots() == 1);
  CHECK(&e->out_of_line() == &p);
  CHECK(e->payload() == p.payload);
  CHECK(&e->type() == &type_of<counted>);
  e->add_collision();
  e->relocate(to.bytes);
  auto* moved = std::launder(reinterpret_cast<envelope*>(to.bytes));
  CHECK(moved->message() == p.payload);
  CHECK(static_cast<counted*>(moved->message())->number == 9);
  CHECK(moved->collisions() == 1);
  CHECK(context.holders == 2);
  moved->end_handled();
  CHECK(counted::alive == before);
  CHECK(context.holders == 1);
}

}  // namespace envelope_test
