// tact::value_of: the query for the value of an eventual, a lazy or an observable.
#include "tact/detail/begin.hpp"  // first
#pragma once

namespace tact {

// const long cents = engine.ask(sum, tact::value_of<long>{});
//
// A request<value_of<T>> is answered with a T: by a tact::eventual when there is one, by a tact::lazy once its service
// has answered, by a tact::observable with the value of that moment.
template <class T>
struct value_of {
  using reply = T;
};

}  // namespace tact

#include "tact/detail/end.hpp"  // last
