// tact::store_error: why a store does not do what it was asked for.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <iosfwd>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tact {

enum class store_problem : unsigned char {
  not_opened,      // the file, or a table of it, cannot be opened, as the system or the options say
  in_use,          // the file is open already: in this process, or for writing in another one
  damaged,         // what is in the file is not what was written
  unreadable,      // the bytes are whole, but no value of the type can be made of them
  refused,         // a write that was not done, and the store goes on: a full disk, a key that is too long
  stopped,         // the disk has failed before, and the store does nothing any more
  unknown,         // the disk has failed while this was written: it may be in the file or not; the store has stopped
  snapshot_ended,  // the snapshot was held for longer than store_options::snapshot_limit, and was ended
};

// The problem in words: "snapshot ended".
std::string_view to_string(store_problem) noexcept;
std::ostream& operator<<(std::ostream&, store_problem);

// Thrown by the calls of stores; what() names the file, what went wrong, and what can be done.
class [[gnu::visibility("default")]] store_error : public std::runtime_error {
 public:
  store_error(store_problem problem, const std::string& what) : std::runtime_error(what), problem_(problem) {}
  [[nodiscard]] store_problem problem() const noexcept { return problem_; }

 private:
  store_problem problem_;
};

}  // namespace tact

#include "tact/detail/end.hpp"  // last
