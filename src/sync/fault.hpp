// The faults that tests plant in the kernels to see them caught. Only the simulated policy can switch one on.
#pragma once

namespace tact::sync {

enum class fault : unsigned char {
  none,
  // mailbox::shard_word
  push_hides_busy,          // a push drops the held bit: two workers run one shard
  release_without_recheck,  // release stores 0 over what was pushed meanwhile
  release_before_flush,     // the holder lets a shard go before it has published its outboxes
  release_forgets_rest,     // the holder leaves messages in the lane without the rest bit: no worker looks again
  foreign_lane,             // what is sent to another shard goes to the lane of the shard that is run
  announce_always_skipped,  // a push to an idle shard wakes no worker
  hold_without_look,        // try_hold takes a shard that is not idle
  held_not_announced,       // a thread outside that has held a shard to post there tells no worker
  // mailbox::open_chunk
  closed_not_looked_at,  // the sender does not see that the holder has closed the chunk
  closed_while_adding,   // the holder takes a chunk to which the sender adds, as if it were only open
  left_not_looked_at,    // the sender does not see that the holder has left the chunk to it
  added_past_others,     // the sender adds to a chunk although a shard has come from another thread since
  // dispatch::announcements
  late_announcement_lost,  // a sender without room for one more shard forgets one, instead of announcing all
  // sync::eventcount
  park_without_recheck,         // the worker sleeps without a second look after it said that it would sleep
  eventcount_store_not_fenced,  // the worker says so by a relaxed store, which may sit in its buffer during the look
  notify_skips_epoch,           // notify wakes the sleepers but leaves the epoch as it was
  part_looked_at_first,         // the notifier of a part looks whether all are done before it does its own
  part_not_fenced,              // the notifier does its part by a store that may sit in its buffer during the look
  // sync::lock
  lock_entered_twice,    // a thread that finds the lock taken enters all the same
  leave_wakes_nobody,    // leave does not wake a sleeper
  woken_forgets_others,  // the thread that was woken takes the lock as if no other thread slept
  // actors::cell
  commit_without_cas,         // a become stores over whatever is there
  home_on_other_line,         // HOME is kept beside the word, so the compare-and-swap of a late run succeeds
  publish_before_commit,      // what a run has sent leaves before its become is committed
  forwarded_run_in_parallel,  // a forwarded message that finds HOME clear runs as a parallel one
  become_away_from_home,      // a run elsewhere becomes although the actor is at home
  left_by_stranger,           // a worker that does not hold the home shard takes the tag away
  shut_not_looked_at,         // a run elsewhere begins although the home is shut
  sole_too_early,             // the behaviour that the home was shut with is freed at once when it is replaced
  once_runs_twice,            // a one-shot runs before it has claimed its cell
  watch_without_commit,       // a watcher is added to the metadata without a commit of the word as it was seen
  forgotten_after_end,        // a watcher is taken out of a list that the thread which ends the actor goes through
  forgotten_too_early,        // a watcher that was forgotten before it came is added all the same
  // dispatch::epoch
  freed_one_epoch_early,  // a batch is freed when all workers have reached tag - 1
  freed_while_scanning,   // a scan of the records frees a batch that was sealed after the scan began
  online_not_fenced,      // a worker comes back online by a plain store
  online_counted_late,    // a worker that comes online is counted when it first announces
  online_seen_too_early,  // a worker looks whether another one is online before it is offline itself
  hands_not_looked_at,    // what other workers have in their hands is freed with the rest
  hands_not_fenced,       // the hands are looked at without a barrier: what they show may be out of date
  hazard_left,            // a worker still shows what it held when it reads the next word
  // dispatch::shard_table
  own_slot_not_emptied,  // a thief gives away a shard that another thief may take from it meanwhile
  owner_told_late,       // the owner of the given shard is written only after it is in the victim's slot
  owner_not_restored,    // after a lost swap the given shard still says that the victim owns it
  restore_forgotten,     // after a lost swap the thief's own slot stays empty
  swap_by_exchange,      // the thief overwrites the victim's slot, whatever is there by now
  given_not_looked_at,   // the thief does not look at the given shard after the swap
  park_after_lost_swap,  // the thief sleeps without a look at its own shards
  rest_not_announced,    // a worker that lets another worker's shard go does not announce what is left
  // dispatch::shard_mover
  moved_by_store,        // a slot is emptied by a store, whatever is there by now
  moved_owner_late,      // the owner of a moved shard is written only after it is in its new slot
  moved_not_looked_at,   // the mover does not look at the shard that it has moved
  gone_not_asked_again,  // what a worker got after it was told to go stays with it when it has gone
  offices_not_told,      // when the number of workers changes, those that look at the offices now are not told
  nobodys_given,         // a worker that brings a shard home gives a vacant slot for it
  kept_not_looked_at,    // a worker that rests does not look at a shard that it has kept
  // dispatch::idle_set
  idle_seen_alone,   // a worker looks whether all are idle before it is in the set itself
  rested_not_woken,  // no thread wakes the workers that rest no more, so they do not enter the set
  // sync::rundown
  stop_looked_at_first,  // a thread that enters looks for the stop before it says that it is inside
  // dispatch::holder
  withheld_not_announced,  // a worker that has withheld enough in a row does not announce the next office
  withheld_forgotten,      // a worker that withheld an office, and then gets more for its shard, drops the office
  office_taken_twice,      // a worker that finds an office held deals it out all the same
  office_left_early,       // an office is let go before what was dealt out there is published
  office_not_announced,    // a worker that leaves something in another worker's office does not tell it
  join_without_office,     // a shard is joined although something is on its way there through an office
  taken_in_past_outbox,    // a shard is taken in while messages dealt out to it wait in an outbox
  join_past_outbox,        // a shard is joined while an outbox for its office is open
  join_without_look,       // a shard is joined although a held shard has got a message, which its actors may have sent
  words_last,              // messages in the words of held shards are taken after those in their offices
  tail_left_behind,        // what is sent to a shard that was let go still goes to the lane
  separate_forgets,        // a shard gets its messages back and is let go as if it were empty
  // dispatch::searchers
  searchers_not_bounded,  // two workers enter at once where one place is left
  last_one_unaware,       // two workers leave at once, and neither sees that it was the last
  chain_broken,           // the last searcher has stolen and there is more to steal, but it wakes no worker
  // dispatch::loop_bell
  loop_bell_rung_unlocked,  // a thread rings at the eventcount of a loop's thread that has gone on meanwhile
  // dispatch::loop_call
  loop_called_outside,  // a thread calls the loop after close has ceased to wait for it
  // dispatch::blocking_slot
  runs_while_starting,     // the thread looks at its shard before the creator has committed
  buries_while_free,       // the thread holds its shard while the slot can still be taken
  freed_in_last_run,       // the slot is free while the actor's last run goes on
  serve_without_wake,      // the commit does not wake the thread, which could not enter until then
  give_back_without_wake,  // the same when the creator does not commit and messages came meanwhile
  idle_without_recheck,    // the thread sleeps without a second look after it said that it would sleep
  // dispatch::pump_word
  pumped_by_two,           // a thread that found the pump free takes it without comparing again
  pump_left_without_look,  // a thread that lets the pump go does not look again at what came meanwhile
  told_while_lent,         // a pump leaves the work to a waiting thread, but does not ask to be told of the rest
  rung_twice,              // two threads that find that the loop was not told both tell it
  // mailbox::pin_count
  pin_not_looked_at,  // the queue gives a chunk away although a parked handler uses a message in it
  // detail::transactor, handlers that wait
  published_before_switch,     // the request leaves, and its answer may come, before the stack was left
  page_touched_behind_commit,  // a worker that parked a handler reads its message when the answer may have come
  // detail::wait_word
  notify_after_done,  // the notifier touches the waiter's word after it has told the waiter
  notify_lost,        // done is stored without a look whether the waiter sleeps
  // actors::gate
  close_does_not_wait,  // the engine ends while a thread is inside
  // actors::admission_counter
  admission_unlooked,          // a thread that enters looks under the lock, but counts later
  admission_left_unheard,      // a thread that makes room does not look whether another one waits for it
  admission_awaited_unlooked,  // a thread that waits looks before it says so, and not again
  // actors::region_book
  stamp_forgotten,     // a page that is opened again begins with the stamp that it had when it was new
  rests_while_in_use,  // a page is given back although one of its records is in use
  // actors::timer_word
  timer_fires_unasked,   // the service fires what is in its wheel without a look at its word
  timer_freed_by_both,   // the holder frees a cancelled timer although the canceller may still use it
  timer_cancel_hurries,  // a cancel that meets a message on its way out returns before it has left
  // actors::timer_inbox
  timer_wakes_nobody,   // a thread that brings an earlier timer does not wake the service
  timer_slept_through,  // the service sleeps without a second look after it said that it would sleep
  // actors::flagged_ask
  flag_unlooked,  // a thread that asks does not look at the flag behind the call that sets the timer
  // inspect::event_ring
  ring_overwrites_unsaid,  // the writer overwrites events without a word to those who copy them
  // inspect::stack_slot
  stack_left_free,           // a slot that its asker leaves is free although the asked thread still writes
  stack_withdrawn_unlooked,  // the asker takes a request back without a look whether the asked thread has begun
  // detail::link_count
  link_let_go_in_two_steps,  // the count is read and written by two operations, between which others may count
  two_links_seen_as_one,     // a table changes a node that another one has
  // lmdb::read_gate
  gate_looked_at_first,  // the thread that changes the map looks for readers before it closes the gate
};

}  // namespace tact::sync
