// tact::codec: what a program says of a type that is to be encoded, where the type does not say it by itself.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <string_view>

namespace tact {

// A member had the name `from` in what an older program has written.
struct renamed {
  std::string_view from;
  std::string_view to;
};

// The members of a class, for those that are private: tact::members<&account::owner_, &account::amount_>. The class
// says `friend struct tact::codec<account>;`. Their names are those in the program.
template <auto... Pointers>
struct members {};

// An aggregate needs no declaration: its members are read and written by their names. Members may be added, taken away
// and put in another order. For all else the program specializes this template, with what it needs of:
//
// template <>
// struct tact::codec<account> {
//   // The members, if not all, or if they are private. Without this line T is an aggregate.
//   using members = tact::members<&account::owner_, &account::amount_>;
//   // Names that members had before.
//   static constexpr tact::renamed renamed[] = {{"balance", "amount_"}};
//   // Names of members that were there once: their values are passed over, and the names stay unused.
//   static constexpr std::string_view removed[] = {"note"};
//   // The name of the type, in errors and to find the alternatives of a variant; otherwise that in the program.
//   static constexpr std::string_view name = "account";
//   // What `name`s and types of members cannot express: values of version 1 are read as account_of_2020, a type whose
//   // codec has the version before this one, and given to this function. Versions begin with 1.
//   static constexpr unsigned version = 2;
//   static account upgrade(account_of_2020 old);
// };
//
// A type that is no record at all is written as another one; what load throws, becomes a tact::decode_error:
//
// template <>
// struct tact::codec<url> {
//   static std::string save(const url& u) { return u.text(); }
//   static url load(std::string text) { return url(text); }
// };
template <class T>
struct codec {};

}  // namespace tact

#include "tact/detail/end.hpp"  // last
