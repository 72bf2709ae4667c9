// What the models of workers hand on to each other.
#pragma once

#include "mailbox/shard_word.hpp"

namespace tact::schedule {

struct linked_letter {
  linked_letter* next = nullptr;
  unsigned sender = 0;
  unsigned number = 0;
  unsigned to = 0;    // a shard
  unsigned hops = 0;  // left
};

// First in, first out; private to the thread that holds it.
class letter_list {
 public:
  bool empty() const { return oldest_ == nullptr; }
  void append(linked_letter& l) {
    l.next = nullptr;
    (oldest_ == nullptr ? oldest_ : newest_->next) = &l;
    newest_ = &l;
  }
  void append(const mailbox::gulped<linked_letter>& taken) {
    for (linked_letter* l = taken.oldest; l != nullptr;) {
      linked_letter* next = l->next;
      append(*l);
      l = next;
    }
  }
  template <class F>
  void for_each(F f) const {
    for (const linked_letter* l = oldest_; l != nullptr; l = l == newest_ ? nullptr : l->next) f(*l);
  }
  linked_letter& take() {
    linked_letter& l = *oldest_;
    oldest_ = l.next;
    return l;
  }

 private:
  linked_letter* oldest_ = nullptr;
  linked_letter* newest_ = nullptr;
};

}  // namespace tact::schedule
