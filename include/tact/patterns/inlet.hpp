// tact::inlet: the protocol of what takes the items of a stream, and says when it has room for the next.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <iosfwd>

#include "tact/failure.hpp"
#include "tact/protocol.hpp"
#include "tact/request.hpp"

namespace tact {

// engine.ask(first, tact::put_item<page>{p});
//
// Gives an item to an inlet. The answer says that the inlet has taken it, because there was room; until then the sender
// should send no other. An item that is refused fails.
template <class T>
struct put_item {
  using reply = void;
  T item;
};

// engine.ask(first, tact::end_of_stream{});
//
// Says that a source has no more items. It reaches each stage behind all items that the stage before had taken by then,
// and the last stage answers it. It ends no actor: so each of several sources may send it.
struct end_of_stream {
  using reply = void;
};

// An item that a stage had taken did not get to the next one. It comes in the context of the item, unless the next
// stage had ended before it could take the item.
struct item_failed {
  failure why;
};
std::ostream& operator<<(std::ostream&, const item_failed&);

// What takes items: a tact::stage, or an actor of your own, which answers each item with self.reply when it has room
// for another one, at once or later.
template <class T>
struct inlet : protocol<request<put_item<T>>, request<end_of_stream>> {};

// Names of earlier versions; they go with the next one.
template <class T>
using put [[deprecated("use tact::put_item")]] = put_item<T>;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
