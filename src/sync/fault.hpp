// The faults that tests plant in the kernels to see them caught. Only the simulated policy can switch one on.
#pragma once

namespace tact::sync {

enum class fault : unsigned char {
  none,
  // mailbox::shard_word
  push_hides_busy,          // a push drops the held bit: two workers run one shard
  release_without_recheck,  // release stores 0 over what was pushed meanwhile
  release_before_flush,     // the shard is let go before the holder's outboxes are published
  release_forgets_rest,     // what was left over is not marked, so nobody looks again
  foreign_lane,             // sends to another shard go to the lane of the shard being run
  announce_always_skipped,  // a push to an idle shard wakes nobody
  hold_without_look,        // try_hold takes a shard that is not idle
  // dispatch::announcements
  late_announcement_lost,  // who has no room for one more shard forgets one instead of telling of all
  // sync::eventcount
  park_without_recheck,         // the worker sleeps without looking again after it said it would
  eventcount_store_not_fenced,  // "parked" is a relaxed store: it may sit in the store buffer during the re-check
  notify_skips_epoch,           // notify wakes sleepers but leaves the epoch as it was
  part_looked_at_first,         // who did a part looks whether all are done before it says that its own is
  part_not_fenced,              // a part is done by a store that may sit in the store buffer during that look
  // sync::lock
  lock_entered_twice,    // who finds the lock taken goes in all the same
  leave_wakes_nobody,    // the lock is left, a sleeper is not woken
  woken_forgets_others,  // who was woken takes the lock as if nobody else slept
  // actors::cell
  commit_without_cas,         // a become stores over whatever is there
  home_on_other_line,         // HOME is kept beside the word, so a straggler's CAS succeeds
  publish_before_commit,      // staged sends leave before the become is in
  forwarded_run_in_parallel,  // a forwarded message found HOME clear and runs as a parallel one
  become_away_from_home,      // a run elsewhere becomes although the actor is at home
  left_by_stranger,           // somebody who does not hold the home shard takes the tag away
  shut_not_looked_at,         // a run elsewhere begins although the home is shut
  sole_too_early,             // the behaviour that is there when the home is shut goes at once when it is replaced
  once_runs_twice,            // a one-shot runs before it has claimed its cell
  watch_without_commit,       // a watcher is put into the papers, and the word is not committed to what it was
  // dispatch::epoch
  freed_one_epoch_early,  // a batch is freed when all have reached tag - 1
  freed_while_scanning,   // a batch sealed after the scan of the records began is freed by it
  online_not_fenced,      // a worker comes back online with a plain store
  grip_not_looked_at,     // what others have in their hands is freed with the rest
  grip_not_fenced,        // the hands are looked at without a barrier: what they show may be long over
  grip_kept,              // a worker still shows what it held when it reads the next word
  // dispatch::shard_table
  own_slot_not_emptied,  // a thief offers a shard that another one may take from it meanwhile
  owner_told_late,       // who owns the given shard is written only after it is in the victim's slot
  owner_not_restored,    // after a lost swap the given shard still says that it belongs to the victim
  restore_forgotten,     // after a lost swap the own slot stays empty
  swap_by_exchange,      // the victim's slot is overwritten, whatever is there by now
  given_not_looked_at,   // nobody looks at the given shard after the swap
  park_after_lost_swap,  // the thief sleeps without a look at its own shards
  rest_not_announced,    // who lets go of another worker's shard does not tell its owner what is left
  // dispatch::shard_mover
  moved_by_store,        // a slot is emptied by a store, whatever is there by now
  moved_owner_late,      // who owns a shard that is moved is written only after it is in its new slot
  moved_not_looked_at,   // nobody looks at a shard that was moved
  gone_not_asked_again,  // what a worker has got since it was told to go stays with it when it has gone
  // dispatch::presence
  stop_looked_at_first,  // who enters looks whether it stops before it says that it is here
  // dispatch::holder
  kept_not_announced,    // a worker that has kept enough in a row tells nobody of the next office
  kept_forgotten,        // a worker whose shard gets more after it has kept an office tells nobody of that office
  office_taken_twice,    // who finds an office held deals it out all the same
  office_left_early,     // an office is let go before what was dealt out there is published
  office_not_announced,  // who leaves something behind in another worker's office does not tell it
  join_without_office,   // a shard is joined although something is on the way to it through an office
  taken_in_past_outbox,  // a shard is taken in while messages that were dealt out to it wait in an outbox
  join_past_outbox,      // a shard is joined while an outbox for its office is open
  join_without_look,  // a shard is joined although something has come for one that is held, which its actors may have
                      // sent
  words_last,         // what came to the words of held shards comes behind what came to their offices
  part_forgets,       // a shard gets its letters back and is let go as if it were empty
  // dispatch::searchers
  searchers_not_bounded,  // two enter at once where one place is left
  last_one_unaware,       // of two that leave at once neither sees that it was the last
  chain_broken,           // the last searcher to leave has stolen, there is more, and it wakes nobody
  // dispatch::loop_call
  loop_called_outside,  // who calls the loop does so when nobody waits for him any more
  // dispatch::blocking_slot
  runs_while_starting,     // the thread looks at its shard before the creator has committed
  buries_while_free,       // the thread holds its shard while the slot is to be had
  freed_in_last_run,       // the slot is free while the actor's last run goes on
  serve_without_wake,      // the commit does not wake the thread, which was kept away until then
  give_back_without_wake,  // the same when the creator does not commit, and messages came meanwhile
  idle_without_recheck,    // the thread sleeps without looking again after it said it would
  // dispatch::pump_word
  pumped_by_two,           // who finds the pump free takes it without a look at who came first
  pump_left_without_look,  // who lets go does not look again at what has come meanwhile
  told_while_lent,         // a pump that leaves the work to a thread that waits does not ask to be told of the rest
  rung_twice,              // two who find that the loop was not told both tell it
  // mailbox::pin_count
  pin_not_looked_at,  // the queue gives a chunk away although a parked handler uses a message in it
  // detail::transactor, handlers that wait
  published_before_switch,     // the request leaves, and its answer may come, before the stack has been left
  page_touched_behind_commit,  // who put a handler aside reads its message once more when the answer may have come
  // detail::wait_word
  notify_after_done,  // the waiter's word is touched again after it was told
  notify_lost,        // done is stored without looking whether the waiter sleeps
  // actors::gate
  close_does_not_wait,  // the engine goes while a thread is inside
  // actors::room
  room_entered_unlooked,     // who enters looks under the lock, and counts later
  room_left_unheard,         // who makes room does not look whether somebody waits for it
  room_waited_for_unlooked,  // who waits looks before it says so, and not again
  // actors::timer_word
  timer_fires_unasked,   // the service fires what is in its wheel without a look at its word
  timer_freed_by_both,   // who holds a cancelled timer frees it, whether the canceller is done with it or not
  timer_cancel_hurries,  // a cancel that meets a message which is leaving says so before it has left
  // actors::timer_inbox
  timer_wakes_nobody,   // who brings an earlier timer does not wake the service
  timer_slept_through,  // the service sleeps without looking again after it said it would
};

}  // namespace tact::sync
